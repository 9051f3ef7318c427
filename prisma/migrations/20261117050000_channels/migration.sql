-- AlterTable
ALTER TABLE "bot_channels" ADD COLUMN     "cursor" BIGINT,
ADD COLUMN     "health" VARCHAR(20),
ADD COLUMN     "health_at" TIMESTAMPTZ(3),
ADD COLUMN     "health_detail" TEXT,
ADD COLUMN     "held_by" VARCHAR(100),
ADD COLUMN     "held_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "message_id" INTEGER NOT NULL,
    "session_key" VARCHAR(512) NOT NULL,
    "bot_uuid" VARCHAR(255) NOT NULL,
    "channel" VARCHAR(20) NOT NULL,
    "state" VARCHAR(20) NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "platform_message_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "degraded" TEXT,
    "last_error" TEXT,
    "possible_duplicate" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbound_messages" (
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "bot_uuid" VARCHAR(255) NOT NULL,
    "channel" VARCHAR(20) NOT NULL,
    "external_id" VARCHAR(255) NOT NULL,
    "session_key" VARCHAR(512) NOT NULL,
    "sender_id" VARCHAR(255) NOT NULL,
    "sender_name" VARCHAR(255),
    "content" TEXT NOT NULL,
    "message_chain" JSONB NOT NULL,
    "reply_to" VARCHAR(255),
    "state" VARCHAR(20) NOT NULL DEFAULT 'received',
    "turn_id" UUID,
    "error" VARCHAR(200),
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "inbound_messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_message_id_key" ON "deliveries"("message_id");

-- CreateIndex
CREATE INDEX "deliveries_session_key_message_id_idx" ON "deliveries"("session_key", "message_id" DESC);

-- CreateIndex
CREATE INDEX "deliveries_bot_uuid_message_id_idx" ON "deliveries"("bot_uuid", "message_id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "inbound_messages_seq_key" ON "inbound_messages"("seq");

-- CreateIndex
CREATE INDEX "inbound_messages_turn_id_idx" ON "inbound_messages"("turn_id");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_messages_bot_uuid_channel_external_id_key" ON "inbound_messages"("bot_uuid", "channel", "external_id");

-- What Prisma cannot say.

-- Only the first undecided one of a session is under way: its decision starts the next.
CREATE INDEX "deliveries_pending_by_session" ON "deliveries" ("session_key", "message_id") WHERE "state" = 'pending';
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_state" CHECK ("state" IN ('pending', 'sent', 'failed'));
CREATE INDEX "inbound_messages_open_by_session" ON "inbound_messages" ("session_key", "seq") WHERE "state" = 'received';
ALTER TABLE "inbound_messages" ADD CONSTRAINT "inbound_messages_state" CHECK ("state" IN ('received', 'answered', 'failed'));
