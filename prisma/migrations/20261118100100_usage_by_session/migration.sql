-- What a session cost is forgotten with it; promises that are over are pruned by the time they last changed.
CREATE INDEX "model_usage_session_key_idx" ON "model_usage" ("session_key");
CREATE INDEX "scheduled_messages_updated_at_ts_idx" ON "scheduled_messages" ("updated_at_ts") WHERE "status" <> 'pending';
