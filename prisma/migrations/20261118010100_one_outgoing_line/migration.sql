-- Everything that leaves for a platform is a delivery: a promised message too, which has no history row until it is sent.
ALTER TABLE "deliveries" ALTER COLUMN "message_id" DROP NOT NULL,
ADD COLUMN     "parked_until" TIMESTAMPTZ(3),
ADD COLUMN     "scheduled_message_id" UUID,
ADD COLUMN     "seq" BIGINT;

-- Its place in the line of its session. What is there already keeps its order, and whatever comes stands behind it.
CREATE SEQUENCE "deliveries_seq_seq" OWNED BY "deliveries"."seq";
UPDATE "deliveries" SET "seq" = "message_id";
SELECT setval('"deliveries_seq_seq"', greatest(1, (SELECT max("seq") FROM "deliveries")));
ALTER TABLE "deliveries" ALTER COLUMN "seq" SET DEFAULT nextval('"deliveries_seq_seq"'),
ALTER COLUMN "seq" SET NOT NULL;

DROP INDEX "deliveries_session_key_message_id_idx";
DROP INDEX "deliveries_bot_uuid_message_id_idx";
DROP INDEX "deliveries_pending_by_session";
CREATE UNIQUE INDEX "deliveries_seq_key" ON "deliveries"("seq");
CREATE UNIQUE INDEX "deliveries_scheduled_message_id_key" ON "deliveries"("scheduled_message_id");
CREATE INDEX "deliveries_session_key_seq_idx" ON "deliveries"("session_key", "seq" DESC);
CREATE INDEX "deliveries_bot_uuid_seq_idx" ON "deliveries"("bot_uuid", "seq" DESC);

-- What Prisma cannot say.
CREATE INDEX "deliveries_pending_by_session" ON "deliveries" ("session_key", "seq") WHERE "state" = 'pending';
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_of_something" CHECK ("message_id" IS NOT NULL OR "scheduled_message_id" IS NOT NULL);

-- A call that is under way is an attempt that has begun and not ended: the row needs no claim of its own.
ALTER TABLE "scheduled_messages" DROP COLUMN "claimed_until";
