-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "session_key" VARCHAR(512),
    "bot_uuid" VARCHAR(255) NOT NULL,
    "origin" VARCHAR(20) NOT NULL,
    "status" VARCHAR(20) NOT NULL,
    "language" VARCHAR(2) NOT NULL,
    "timezone" VARCHAR(64) NOT NULL,
    "overlays" JSONB NOT NULL DEFAULT '{}',
    "turn_id" UUID,
    "tool_call_id" VARCHAR(200),
    "event_seq" INTEGER NOT NULL DEFAULT 0,
    "cancel_reason" VARCHAR(100),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_steps" (
    "run_id" UUID NOT NULL,
    "step_index" INTEGER NOT NULL,
    "step_id" VARCHAR(100) NOT NULL,
    "ai_name" VARCHAR(100) NOT NULL,
    "draft_args" JSONB NOT NULL,
    "depends_on" INTEGER[],
    "reason" TEXT,
    "status" VARCHAR(20) NOT NULL DEFAULT 'waiting',
    "args" JSONB,
    "feedback_at" TIMESTAMPTZ(3),
    "late_by_ms" INTEGER,
    "settled_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "result" JSONB,

    CONSTRAINT "run_steps_pkey" PRIMARY KEY ("run_id","step_index")
);

-- CreateTable
CREATE TABLE "run_events" (
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" VARCHAR(20) NOT NULL,
    "step_index" INTEGER,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_id","seq")
);

-- CreateTable
CREATE TABLE "artifacts" (
    "id" UUID NOT NULL,
    "bot_uuid" VARCHAR(255) NOT NULL,
    "run_id" UUID,
    "name" VARCHAR(255) NOT NULL,
    "content_type" VARCHAR(255) NOT NULL,
    "size" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plugin_uses" (
    "ai_name" VARCHAR(100) NOT NULL,
    "bot_uuid" VARCHAR(255) NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "plugin_uses_pkey" PRIMARY KEY ("ai_name","bot_uuid")
);

-- CreateIndex
CREATE INDEX "runs_session_key_created_at_idx" ON "runs"("session_key", "created_at" DESC);

-- CreateIndex
CREATE INDEX "runs_bot_uuid_created_at_idx" ON "runs"("bot_uuid", "created_at" DESC);

-- CreateIndex
CREATE INDEX "artifacts_created_at_idx" ON "artifacts"("created_at");



-- What Prisma's schema cannot say.

-- Never two results of a step, never two endings of a run.
CREATE UNIQUE INDEX "run_events_once_per_step" ON "run_events" ("run_id", "step_index", "type") WHERE "type" IN ('args', 'tool_choice', 'tool_result');
CREATE UNIQUE INDEX "run_events_completed_once" ON "run_events" ("run_id") WHERE "type" = 'completed';
CREATE INDEX "runs_open" ON "runs" ("created_at") WHERE "status" = 'running';
CREATE INDEX "run_steps_open" ON "run_steps" ("feedback_at") WHERE "status" IN ('waiting', 'running', 'finished');
ALTER TABLE "runs" ADD CONSTRAINT "runs_status" CHECK ("status" IN ('running', 'succeeded', 'failed', 'cancelled'));
ALTER TABLE "run_steps" ADD CONSTRAINT "run_steps_status" CHECK ("status" IN ('waiting', 'running', 'finished', 'reported', 'skipped'));
