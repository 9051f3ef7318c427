-- Where the zone of a conversation comes from: nobody said it, the person did, the platform or a program.
ALTER TABLE sessions
  ADD COLUMN timezone_source varchar(10) NOT NULL DEFAULT 'default',
  ADD COLUMN timezone_asked_at timestamptz(3);
-- One that is not the default was given by somebody.
UPDATE sessions SET timezone_source = 'api' WHERE timezone <> 'Asia/Shanghai';

-- Promised for a clock time, which means another instant in another zone; else so long from the moment it was asked for.
ALTER TABLE scheduled_messages ADD COLUMN by_clock boolean NOT NULL DEFAULT false;
