-- What the feedback time of a step counts from, and the words that were prepared for it.
ALTER TABLE "run_steps"
  ADD COLUMN "asked_at" TIMESTAMPTZ(3),
  ADD COLUMN "progress_text" TEXT,
  ADD COLUMN "result_text" TEXT;

UPDATE "run_steps" s SET "asked_at" = CASE WHEN s."depends_on" = '{}' THEN r."created_at" ELSE s."settled_at" END
  FROM "runs" r WHERE r."id" = s."run_id" AND s."feedback_at" IS NOT NULL;
