-- What waits to be told is looked up by what it is about.
CREATE INDEX "outbox_ref_id_idx" ON "outbox" ("ref_id");

-- The reconciler ends what is pending in conversations that were deleted lately.
CREATE INDEX "sessions_deleted" ON "sessions" ("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- In which incarnation of Temporal the schedule of an automation was seen: only then is its absence somebody's wish.
ALTER TABLE "automations" ADD COLUMN "seen_generation" INTEGER;
