-- Windows that are over are forgotten a few at a time, the oldest first.
CREATE INDEX "rate_limits_expire_idx" ON "rate_limits"("expire");
