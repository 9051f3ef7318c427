-- Who may speak with a bot, and what it may cost in a day (UTC).
ALTER TABLE "bots"
  ADD COLUMN "allow" VARCHAR(20) NOT NULL DEFAULT 'everyone' CHECK ("allow" IN ('everyone', 'listed')),
  ADD COLUMN "people" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "daily_tokens" BIGINT CHECK ("daily_tokens" > 0),
  ADD COLUMN "daily_tokens_per_person" BIGINT CHECK ("daily_tokens_per_person" > 0);

-- Whether people on public platforms whom the bot does not know are offered plugins and MCP tools.
ALTER TABLE "pipelines" ADD COLUMN "tools_for_strangers" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "automations"
  ADD COLUMN "daily_tokens" BIGINT CHECK ("daily_tokens" > 0),
  ADD COLUMN "resume_at" TIMESTAMPTZ(3);
CREATE INDEX "automations_resume_at_idx" ON "automations" ("resume_at") WHERE "resume_at" IS NOT NULL;

-- What every call of a model cost. Holds no words.
CREATE TABLE "model_usage" (
  "id" BIGSERIAL PRIMARY KEY,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "bot_uuid" VARCHAR(255),
  "session_key" VARCHAR(512),
  "turn_id" UUID,
  "automation_id" UUID,
  "person" VARCHAR(600),
  "purpose" VARCHAR(40) NOT NULL,
  "model" VARCHAR(200) NOT NULL,
  "prompt_tokens" INTEGER NOT NULL,
  "completion_tokens" INTEGER NOT NULL,
  "cached_tokens" INTEGER NOT NULL,
  "estimated" BOOLEAN NOT NULL DEFAULT false
);
CREATE INDEX "model_usage_bot_uuid_created_at_idx" ON "model_usage" ("bot_uuid", "created_at" DESC);
CREATE INDEX "model_usage_created_at_idx" ON "model_usage" ("created_at");

-- The same, summed by day, for whom a budget may be set: a bot, a person of a bot, an automation.
CREATE TABLE "usage_days" (
  "subject" VARCHAR(900) NOT NULL,
  "day" DATE NOT NULL,
  "tokens" BIGINT NOT NULL,
  PRIMARY KEY ("subject", "day")
);
CREATE INDEX "usage_days_day_idx" ON "usage_days" ("day");
