-- What stood behind the error of a run, shortened, for whoever looks into it.
ALTER TABLE "automation_runs" ADD COLUMN "error_detail" VARCHAR(500);

-- Slots that were missed and that nobody was told of yet; older rows name no cause and stay as they are.
CREATE INDEX "automation_runs_untold" ON "automation_runs" ("automation_id")
  WHERE "state" = 'missed' AND "message_id" IS NULL AND "error" IN ('too_late', 'not_started');
