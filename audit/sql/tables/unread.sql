-- The files that could not be read as logs, with the verdict and the reason.
CREATE VIEW unread AS
SELECT path, verdict, reason FROM raw.unread;
