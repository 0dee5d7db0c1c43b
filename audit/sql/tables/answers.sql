-- The answers of bots that the rules accepted, in every match.
CREATE VIEW answers AS
FROM answered
UNION ALL BY NAME
FROM raw.joint_answers;
