-- A chat that a platform has given another id goes on under the one it is known by.
CREATE TABLE "moved_chats" (
  "bot_uuid" VARCHAR(255) NOT NULL,
  "channel" VARCHAR(20) NOT NULL,
  "from_id" VARCHAR(255) NOT NULL,
  "to_id" VARCHAR(255) NOT NULL,
  "moved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "moved_chats_pkey" PRIMARY KEY ("bot_uuid", "channel", "from_id")
);
CREATE INDEX "moved_chats_bot_uuid_channel_to_id_idx" ON "moved_chats" ("bot_uuid", "channel", "to_id");
