-- CreateTable
CREATE TABLE "tasks" (
    "id" UUID NOT NULL,
    "bot_uuid" VARCHAR(255) NOT NULL,
    "launcher_type" VARCHAR(50) NOT NULL,
    "launcher_id" VARCHAR(255) NOT NULL,
    "title" VARCHAR(200) NOT NULL,
    "description" TEXT,
    "due_date" DATE NOT NULL,
    "start_time" VARCHAR(5),
    "end_time" VARCHAR(5),
    "time_segment" VARCHAR(20),
    "priority" VARCHAR(20) NOT NULL,
    "group_id" VARCHAR(100),
    "status" VARCHAR(20) NOT NULL DEFAULT 'pending',
    "timezone" VARCHAR(64) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "task_delete_questions" (
    "task_id" UUID NOT NULL,
    "session_key" VARCHAR(512) NOT NULL,
    "turn_id" UUID NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "task_delete_questions_pkey" PRIMARY KEY ("task_id","session_key")
);

-- CreateTable
CREATE TABLE "task_reminders" (
    "scheduled_message_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "minutes_before" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "task_reminders_pkey" PRIMARY KEY ("scheduled_message_id")
);

-- CreateIndex
CREATE INDEX "tasks_bot_uuid_launcher_type_launcher_id_due_date_idx" ON "tasks"("bot_uuid", "launcher_type", "launcher_id", "due_date");

-- CreateIndex
CREATE INDEX "task_delete_questions_turn_id_idx" ON "task_delete_questions"("turn_id");

-- CreateIndex
CREATE INDEX "task_reminders_task_id_idx" ON "task_reminders"("task_id");

-- AddForeignKey
ALTER TABLE "task_delete_questions" ADD CONSTRAINT "task_delete_questions_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_reminders" ADD CONSTRAINT "task_reminders_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma cannot say: the rules that no writer may break.
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_status" CHECK ("status" IN ('pending', 'completed') AND ("status" = 'completed') = ("completed_at" IS NOT NULL));
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_priority" CHECK ("priority" IN ('low', 'medium', 'high'));
-- An exact range or a segment, never both, never half a range. "24:00" is the end of the day; as text of one length, times compare as times.
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_time_mode" CHECK (
    ("time_segment" IS NOT NULL AND "time_segment" IN ('all_day', 'morning', 'afternoon', 'evening') AND "start_time" IS NULL AND "end_time" IS NULL)
    OR ("time_segment" IS NULL AND "start_time" IS NOT NULL AND "end_time" IS NOT NULL AND "start_time" ~ '^([01]\d|2[0-3]):[0-5]\d$'
        AND ("end_time" ~ '^([01]\d|2[0-3]):[0-5]\d$' OR "end_time" = '24:00') AND "start_time" COLLATE "C" < "end_time" COLLATE "C"));
