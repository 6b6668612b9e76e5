-- A look at a position reads the newest intents of each operation, and those that are under way whatever their age.
CREATE INDEX "intents_under_way" ON "intents" ("subject") WHERE state IN ('prepared', 'signed', 'broadcast', 'reorged');
