-- What the bots answered, and the rules accepted, in every match.
CREATE VIEW answers AS
FROM answered
UNION ALL BY NAME
FROM raw.carried;
