-- A bot that is deleted leaves its platforms, and its sealed secrets with them.
DELETE FROM "bot_channels" c USING "bots" b WHERE b."uuid" = c."bot_uuid" AND b."deleted_at" IS NOT NULL;
