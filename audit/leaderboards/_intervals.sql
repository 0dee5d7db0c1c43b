-- 95 % intervals for the leaderboards.

-- The 97.5 % point of the normal distribution.
CREATE OR REPLACE TEMP MACRO normal() AS
    1.959963984540054::DOUBLE;

-- The Wilson interval (1927) of a share (0 to 1) of n games. It also suits few games and shares of 0
-- and 1. NULL without a game, and for a number that is no share, as of forged scores.
CREATE OR REPLACE TEMP MACRO wilson_centre(share, n) AS
    (share + normal() ** 2 / (2 * n)) / (1 + normal() ** 2 / n);

CREATE OR REPLACE TEMP MACRO wilson_margin(share, n) AS
    normal() * sqrt(share * (1 - share) / n + (normal() / (2 * n)) ** 2) / (1 + normal() ** 2 / n);

CREATE OR REPLACE TEMP MACRO wilson_low(share, n) AS
    if(
        n > 0 AND share BETWEEN 0 AND 1,
        greatest(0, wilson_centre(share, n) - wilson_margin(share, n)),
        NULL
    );

CREATE OR REPLACE TEMP MACRO wilson_high(share, n) AS
    if(
        n > 0 AND share BETWEEN 0 AND 1,
        least(1, wilson_centre(share, n) + wilson_margin(share, n)),
        NULL
    );

-- The 97.5 % point of Student's t distribution with n degrees of freedom: tabulated values for n up
-- to 5, then the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5), correct to 0.002.
CREATE OR REPLACE TEMP MACRO student(n) AS
    coalesce(
        [12.7062, 4.3027, 3.1824, 2.7764, 2.5706][n],
        normal() + 2.3723 / n + 2.8225 / n ** 2 + 2.5559 / n ** 3
    );

-- Half the width of Student's t interval (1908) for the mean of n values with this standard
-- deviation. NULL for a single value and for equal values, because their spread is unknown.
CREATE OR REPLACE TEMP MACRO student_margin(spread, n) AS
    if(n > 1 AND spread > 0, student(n - 1) * spread / sqrt(n), NULL);
