-- A run that waits has a turn that waits. The turn of one whose worker was away used to be closed and made anew.
UPDATE "turns" t SET "status" = 'queued', "error" = NULL, "ended_at" = NULL, "fence" = NULL, "lease_until" = now()
FROM "automation_runs" r WHERE r."turn_id" = t."id" AND r."state" = 'queued' AND t."status" = 'closed';
