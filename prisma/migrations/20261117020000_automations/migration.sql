-- CreateTable
CREATE TABLE "automations" (
    "id" UUID NOT NULL,
    "kind" VARCHAR(20) NOT NULL DEFAULT 'agent_turn',
    "session_key" VARCHAR(512),
    "bot_uuid" VARCHAR(255) NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "message" TEXT NOT NULL,
    "recurrence" JSONB NOT NULL,
    "timezone" VARCHAR(64) NOT NULL,
    "language" VARCHAR(2) NOT NULL,
    "state" VARCHAR(20) NOT NULL DEFAULT 'active',
    "state_reason" VARCHAR(200),
    "ends_at" TIMESTAMPTZ(3),
    "max_runs" INTEGER,
    "runs_count" INTEGER NOT NULL DEFAULT 0,
    "failures_in_row" INTEGER NOT NULL DEFAULT 0,
    "next_run_at" TIMESTAMPTZ(3),
    "accounted_until" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "legacy" JSONB,
    "version" INTEGER NOT NULL DEFAULT 1,
    "synced_version" INTEGER,
    "synced_at" TIMESTAMPTZ(3),
    "created_by_tool_call_id" VARCHAR(200),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "automations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "automation_runs" (
    "id" VARCHAR(100) NOT NULL,
    "automation_id" UUID NOT NULL,
    "session_key" VARCHAR(512) NOT NULL,
    "bot_uuid" VARCHAR(255) NOT NULL,
    "scheduled_at" TIMESTAMPTZ(3) NOT NULL,
    "state" VARCHAR(20) NOT NULL,
    "workflow_id" VARCHAR(300),
    "turn_id" UUID,
    "prompt_ref" JSONB,
    "rendered_prompt" TEXT,
    "variables" JSONB,
    "error" TEXT,
    "late_by_ms" INTEGER,
    "message_id" INTEGER,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "automation_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_memories" (
    "session_key" VARCHAR(512) NOT NULL,
    "summary" TEXT NOT NULL,
    "upto_message_id" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_memories_pkey" PRIMARY KEY ("session_key")
);

-- CreateIndex
CREATE INDEX "automations_session_key_created_at_idx" ON "automations"("session_key", "created_at");

-- CreateIndex
CREATE INDEX "automations_bot_uuid_next_run_at_idx" ON "automations"("bot_uuid", "next_run_at");

-- CreateIndex
CREATE INDEX "automation_runs_session_key_scheduled_at_idx" ON "automation_runs"("session_key", "scheduled_at" DESC);

-- CreateIndex
CREATE INDEX "automation_runs_bot_uuid_scheduled_at_idx" ON "automation_runs"("bot_uuid", "scheduled_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "automation_runs_automation_id_scheduled_at_key" ON "automation_runs"("automation_id", "scheduled_at");




-- What Prisma's schema cannot say.

ALTER TABLE "automations" ADD CONSTRAINT "automations_kind" CHECK ("kind" IN ('agent_turn', 'system_event'));
ALTER TABLE "automations" ADD CONSTRAINT "automations_state" CHECK ("state" IN ('active', 'paused', 'auto_paused', 'ended'));
ALTER TABLE "automation_runs" ADD CONSTRAINT "automation_runs_state" CHECK ("state" IN ('queued', 'running', 'succeeded', 'failed', 'empty', 'missed', 'cancelled'));
CREATE INDEX "automation_runs_open" ON "automation_runs" ("queued_at") WHERE "state" IN ('queued', 'running');
CREATE UNIQUE INDEX "automation_runs_turn" ON "automation_runs" ("turn_id") WHERE "turn_id" IS NOT NULL;
CREATE INDEX "automations_live" ON "automations" ("next_run_at") WHERE "deleted_at" IS NULL AND "state" = 'active';
