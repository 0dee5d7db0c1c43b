-- The files that could not be read as logs, with the verdict and the reason.
--   path: The file.
--   verdict: corrupt, unsupported, incomplete or unreadable.
--   reason: The reason why it could not be read.
CREATE VIEW unread AS
SELECT path, verdict, reason FROM raw.unread;
