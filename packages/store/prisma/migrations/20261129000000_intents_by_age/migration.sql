-- Intents of a state by age: of the replaced ones, only the newest are followed.
DROP INDEX "intents_state_idx";
CREATE INDEX "intents_state_updated_at_idx" ON "intents"("state", "updated_at");
