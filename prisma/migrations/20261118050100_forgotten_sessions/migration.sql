-- A deleted session is forgotten after it was deleted: until then its key does not begin anew.
ALTER TABLE "sessions" ADD COLUMN "forgotten_at" TIMESTAMPTZ(3);

UPDATE "sessions" SET "forgotten_at" = "deleted_at" WHERE "deleted_at" IS NOT NULL;

CREATE INDEX "sessions_to_forget" ON "sessions" ("session_key") WHERE "deleted_at" IS NOT NULL AND "forgotten_at" IS NULL;
