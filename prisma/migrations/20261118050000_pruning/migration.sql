-- Rows come in the order of time, so a BRIN index finds the old ones and costs next to nothing.
CREATE INDEX "turns_created_at" ON "turns" USING brin ("created_at");
CREATE INDEX "tool_calls_started_at" ON "tool_calls" USING brin ("started_at");
CREATE INDEX "inbound_messages_received_at" ON "inbound_messages" USING brin ("received_at");
CREATE INDEX "deliveries_created_at" ON "deliveries" USING brin ("created_at");
CREATE INDEX "delivery_attempts_started_at" ON "delivery_attempts" USING brin ("started_at");
CREATE INDEX "runs_created_at" ON "runs" USING brin ("created_at");
CREATE INDEX "automation_runs_queued_at" ON "automation_runs" USING brin ("queued_at");
-- What was forgotten lately is looked at once more.
CREATE INDEX "sessions_deleted_at" ON "sessions" ("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- What version of the schema a database has, for people: SELECT * FROM metadata.
CREATE VIEW "metadata" AS
  SELECT 'database_version' AS "key", max("migration_name") AS "value" FROM "_prisma_migrations"
  WHERE "finished_at" IS NOT NULL AND "rolled_back_at" IS NULL;
