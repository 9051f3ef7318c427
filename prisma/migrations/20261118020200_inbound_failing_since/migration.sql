-- Since when a message from a platform cannot be answered for a reason that nobody expected.
ALTER TABLE "inbound_messages" ADD COLUMN "failing_since" TIMESTAMPTZ(3);
