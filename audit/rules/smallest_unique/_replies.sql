-- Every reply of the step that ended a match: an answer, or a fault.
--   type: answered or fault.
CREATE VIEW smallest_unique_replies AS
SELECT log, match, seq, 'answered' AS type, seat, ask, output
FROM answered WHERE game = 'smallest_unique'
UNION ALL BY NAME
SELECT log, match, seq, 'fault' AS type, seat, ask, output, kind
FROM faults WHERE game = 'smallest_unique';
