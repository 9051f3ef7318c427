-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "pushes_off_at" TIMESTAMPTZ(3),
ADD COLUMN     "quiet_start" TIME(0),
ADD COLUMN     "quiet_end" TIME(0);

-- AlterTable
ALTER TABLE "scheduled_messages" ADD COLUMN     "source_kind" VARCHAR(30) NOT NULL DEFAULT 'scheduled_send',
ADD COLUMN     "message_chain" JSONB,
ADD COLUMN     "pipeline_uuid" VARCHAR(255),
ADD COLUMN     "urgent" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "deferred_from" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "conversations" (
    "bot_uuid" VARCHAR(255) NOT NULL,
    "launcher_type" VARCHAR(50) NOT NULL,
    "launcher_id" VARCHAR(255) NOT NULL,
    "last_message_id" INTEGER NOT NULL,
    "last_message_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("bot_uuid","launcher_type","launcher_id")
);

-- CreateTable
CREATE TABLE "pipelines" (
    "uuid" VARCHAR(255) NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "base" VARCHAR(255) NOT NULL,
    "instructions" TEXT NOT NULL DEFAULT '',
    "overlays" JSONB NOT NULL DEFAULT '{}',
    "tools" TEXT[],
    "model" VARCHAR(200),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pipelines_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "push_budgets" (
    "name" VARCHAR(800) NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "per_second" DOUBLE PRECISION NOT NULL,
    "refilled_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_budgets_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "caller_id" VARCHAR(100) NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "body_hash" VARCHAR(64) NOT NULL,
    "answer" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("caller_id","key")
);

-- DropIndex
DROP INDEX "message_history_bot_uuid_created_at_id_idx";

-- DropIndex
DROP INDEX "message_history_bot_uuid_launcher_type_launcher_id_id_idx";

-- CreateIndex
CREATE INDEX "ix_message_history_bot_uuid" ON "message_history"("bot_uuid", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "ix_message_history_conversation" ON "message_history"("bot_uuid", "launcher_type", "launcher_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "ix_message_history_pipeline_uuid" ON "message_history"("pipeline_uuid", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "ix_message_history_launcher_type" ON "message_history"("launcher_type", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "ix_message_history_launcher_id" ON "message_history"("launcher_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "ix_message_history_sender_id" ON "message_history"("sender_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "ix_message_history_created_at" ON "message_history"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sessions_bot_uuid_launcher_type_launcher_id_idx" ON "sessions"("bot_uuid", "launcher_type", "launcher_id");

-- CreateIndex
CREATE INDEX "conversations_bot_uuid_last_message_at_idx" ON "conversations"("bot_uuid", "last_message_at" DESC);

-- CreateIndex
CREATE INDEX "conversations_last_message_at_idx" ON "conversations"("last_message_at" DESC);

-- CreateIndex
CREATE INDEX "push_budgets_refilled_at_idx" ON "push_budgets"("refilled_at");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");



-- What Prisma's schema cannot say.

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_quiet_hours"
  CHECK (("quiet_start" IS NULL) = ("quiet_end" IS NULL) AND "quiet_start" <> "quiet_end");
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_source_kind" CHECK ("source_kind" IN ('scheduled_send', 'push'));
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_chat_type" CHECK ("chat_type" = 'private' OR "source_kind" = 'push');

-- Messages said so far know their pipeline and turn, like those to come.
UPDATE "message_history" m SET "pipeline_uuid" = b."pipeline_uuid" FROM "bots" b
  WHERE m."pipeline_uuid" IS NULL AND b."uuid" = m."bot_uuid";
UPDATE "message_history" m SET "query_id" = t."seq" FROM "turns" t
  WHERE m."query_id" IS NULL AND t."id" = m."turn_id" AND t."seq" <= 2147483647;

-- When each conversation was last heard of. Whoever stores messages also notes this, in the same statement; sorted, so that
-- two who store for the same conversations take their rows in the same order.
CREATE FUNCTION note_conversations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO conversations AS known (bot_uuid, launcher_type, launcher_id, last_message_id, last_message_at)
  SELECT bot_uuid, launcher_type, launcher_id, max(id), max(created_at) FROM stored
  GROUP BY bot_uuid, launcher_type, launcher_id ORDER BY bot_uuid, launcher_type, launcher_id
  ON CONFLICT (bot_uuid, launcher_type, launcher_id) DO UPDATE
  SET last_message_id = greatest(known.last_message_id, excluded.last_message_id),
    last_message_at = greatest(known.last_message_at, excluded.last_message_at);
  RETURN NULL;
END $$;
CREATE TRIGGER "message_history_note_conversations" AFTER INSERT ON "message_history"
  REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION note_conversations();

INSERT INTO "conversations" ("bot_uuid", "launcher_type", "launcher_id", "last_message_id", "last_message_at")
  SELECT "bot_uuid", "launcher_type", "launcher_id", max("id"), max("created_at") FROM "message_history" GROUP BY 1, 2, 3;

-- Until when a message that is due at this instant has to wait for the quiet hours' end; null when it may go. What was due
-- before they began is not caught by them for being a moment late. A zone unknown here keeps no hours: the sweep, which asks
-- for all sessions at once, must not fail for one.
CREATE FUNCTION quiet_until(due timestamptz, zone text, quiet_start time, quiet_end time) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
  here timestamp;
  ends timestamp;
BEGIN
  IF quiet_start IS NULL OR quiet_end IS NULL THEN RETURN NULL; END IF;
  here := greatest(due, now() - interval '1 minute') AT TIME ZONE zone;
  IF quiet_start < quiet_end THEN
    IF here::time < quiet_start OR here::time >= quiet_end THEN RETURN NULL; END IF;
    ends := here::date + quiet_end;
  ELSE
    IF here::time < quiet_start AND here::time >= quiet_end THEN RETURN NULL; END IF;
    ends := here::date + quiet_end + CASE WHEN here::time >= quiet_start THEN interval '1 day' ELSE interval '0' END;
  END IF;
  RETURN CASE WHEN ends AT TIME ZONE zone > greatest(due, now()) THEN ends AT TIME ZONE zone END;
EXCEPTION WHEN invalid_parameter_value THEN RETURN NULL;
END $$;
