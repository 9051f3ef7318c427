-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "username" VARCHAR(100) NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" VARCHAR(20) NOT NULL DEFAULT 'admin',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_tokens" (
    "token_hash" VARCHAR(64) NOT NULL,
    "user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "key_hash" VARCHAR(64) NOT NULL,
    "last_four" VARCHAR(4) NOT NULL,
    "scopes" TEXT[],
    "bot_uuids" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bots" (
    "uuid" VARCHAR(255) NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "pipeline_uuid" VARCHAR(255) NOT NULL DEFAULT 'assistant',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "bots_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "bot_channels" (
    "bot_uuid" VARCHAR(255) NOT NULL,
    "channel" VARCHAR(20) NOT NULL,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "secret" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bot_channels_pkey" PRIMARY KEY ("bot_uuid","channel")
);

-- CreateTable
CREATE TABLE "sessions" (
    "session_key" VARCHAR(512) NOT NULL,
    "bot_uuid" VARCHAR(255) NOT NULL,
    "channel" VARCHAR(20) NOT NULL,
    "launcher_type" VARCHAR(50) NOT NULL,
    "launcher_id" VARCHAR(255) NOT NULL,
    "pipeline_uuid" VARCHAR(255),
    "timezone" VARCHAR(64) NOT NULL,
    "language" VARCHAR(2),
    "title" VARCHAR(200),
    "event_seq" BIGINT NOT NULL DEFAULT 0,
    "turn_fence" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("session_key")
);

-- CreateTable
CREATE TABLE "turns" (
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "session_key" VARCHAR(512) NOT NULL,
    "origin" VARCHAR(20) NOT NULL,
    "status" VARCHAR(20) NOT NULL,
    "holder" VARCHAR(100) NOT NULL,
    "fence" BIGINT,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "input" JSONB NOT NULL,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "turns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message_history" (
    "id" SERIAL NOT NULL,
    "bot_uuid" VARCHAR(255) NOT NULL,
    "pipeline_uuid" VARCHAR(255),
    "launcher_type" VARCHAR(50) NOT NULL,
    "launcher_id" VARCHAR(255) NOT NULL,
    "sender_id" VARCHAR(255) NOT NULL,
    "message_role" VARCHAR(50) NOT NULL,
    "message_content" TEXT NOT NULL,
    "message_chain" JSONB NOT NULL,
    "query_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "session_key" VARCHAR(512) NOT NULL,
    "turn_id" UUID,
    "source_kind" VARCHAR(30) NOT NULL,
    "source_ref" VARCHAR(200),
    "type" VARCHAR(20) NOT NULL DEFAULT 'text',
    "payload" JSONB,
    "metadata" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "message_history_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tool_calls" (
    "turn_id" UUID NOT NULL,
    "call_id" VARCHAR(200) NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "session_key" VARCHAR(512) NOT NULL,
    "round" INTEGER NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "arguments" JSONB NOT NULL,
    "result" JSONB,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "tool_calls_pkey" PRIMARY KEY ("turn_id","call_id")
);

-- CreateTable
CREATE TABLE "session_events" (
    "session_key" VARCHAR(512) NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" VARCHAR(20) NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_events_pkey" PRIMARY KEY ("session_key","seq")
);

-- CreateTable
CREATE TABLE "scheduled_messages" (
    "id" UUID NOT NULL,
    "session_id" VARCHAR(512) NOT NULL,
    "bot_uuid" VARCHAR(255) NOT NULL,
    "channel" VARCHAR(20) NOT NULL,
    "chat_type" VARCHAR(20) NOT NULL,
    "message_text" TEXT NOT NULL,
    "send_at_ts" TIMESTAMPTZ(3) NOT NULL,
    "timezone" VARCHAR(64) NOT NULL,
    "status" VARCHAR(20) NOT NULL,
    "replace_existing" BOOLEAN NOT NULL,
    "created_at_ts" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at_ts" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by_tool_call_id" VARCHAR(200),
    "cancelled_by_tool_call_id" VARCHAR(200),
    "cancel_reason" VARCHAR(100),
    "sent_message_id" INTEGER,
    "sent_at_ts" TIMESTAMPTZ(3),
    "late_by_ms" INTEGER,
    "last_error" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "possible_duplicate" BOOLEAN NOT NULL DEFAULT false,
    "claimed_until" TIMESTAMPTZ(3),

    CONSTRAINT "scheduled_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_attempts" (
    "id" BIGSERIAL NOT NULL,
    "source_ref" VARCHAR(200) NOT NULL,
    "number" INTEGER NOT NULL,
    "channel" VARCHAR(20) NOT NULL,
    "outcome" VARCHAR(20) NOT NULL DEFAULT 'started',
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "receipt" VARCHAR(500),
    "error" TEXT,

    CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "kind" VARCHAR(40) NOT NULL,
    "ref_id" VARCHAR(200) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reconciler_marks" (
    "name" VARCHAR(60) NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reconciler_marks_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_username_key" ON "users"("username");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "sessions_bot_uuid_updated_at_idx" ON "sessions"("bot_uuid", "updated_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "turns_seq_key" ON "turns"("seq");

-- CreateIndex
CREATE INDEX "turns_session_key_seq_idx" ON "turns"("session_key", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "message_history_source_ref_key" ON "message_history"("source_ref");

-- CreateIndex
CREATE INDEX "message_history_session_key_id_idx" ON "message_history"("session_key", "id" DESC);

-- CreateIndex
CREATE INDEX "message_history_bot_uuid_created_at_id_idx" ON "message_history"("bot_uuid", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "message_history_bot_uuid_launcher_type_launcher_id_id_idx" ON "message_history"("bot_uuid", "launcher_type", "launcher_id", "id" DESC);

-- CreateIndex
CREATE INDEX "tool_calls_session_key_seq_idx" ON "tool_calls"("session_key", "seq" DESC);

-- CreateIndex
CREATE INDEX "session_events_created_at_idx" ON "session_events"("created_at");

-- CreateIndex
CREATE INDEX "scheduled_messages_session_id_created_at_ts_idx" ON "scheduled_messages"("session_id", "created_at_ts" DESC);

-- CreateIndex
CREATE INDEX "scheduled_messages_bot_uuid_send_at_ts_idx" ON "scheduled_messages"("bot_uuid", "send_at_ts");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_attempts_source_ref_number_key" ON "delivery_attempts"("source_ref", "number");

-- CreateIndex
CREATE INDEX "outbox_next_attempt_at_idx" ON "outbox"("next_attempt_at");



-- What Prisma's schema cannot say.

-- Turns of a session never overlap.
CREATE UNIQUE INDEX "turns_one_running_per_session" ON "turns" ("session_key") WHERE "status" = 'running';
CREATE INDEX "turns_open_by_lease" ON "turns" ("lease_until") WHERE "status" IN ('queued', 'running');
CREATE INDEX "turns_queued_by_session" ON "turns" ("session_key", "seq") WHERE "status" = 'queued';
ALTER TABLE "turns" ADD CONSTRAINT "turns_status" CHECK ("status" IN ('queued', 'running', 'succeeded', 'failed', 'closed'));

-- The two questions asked all the time: what is due, and what is pending here.
CREATE INDEX "scheduled_messages_due" ON "scheduled_messages" ("send_at_ts", "id") WHERE "status" = 'pending';
CREATE INDEX "scheduled_messages_pending_by_session" ON "scheduled_messages" ("session_id") WHERE "status" = 'pending';
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_status" CHECK ("status" IN ('pending', 'sent', 'cancelled', 'failed'));
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_sent" CHECK (("status" = 'sent') = ("sent_message_id" IS NOT NULL));

-- One row of a person's session at a time: a bot's launcher on a channel is one conversation unless a key says otherwise.
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_launcher_type" CHECK ("launcher_type" IN ('person', 'group'));
