-- The next nonce of each signer, and when a program last reported itself, under names that say so.
ALTER TABLE "signer_lanes" RENAME TO "signer_nonces";
ALTER INDEX "signer_lanes_pkey" RENAME TO "signer_nonces_pkey";
ALTER TABLE "heartbeats" RENAME COLUMN "last_beat_at" TO "last_heartbeat_at";
