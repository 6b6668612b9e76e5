export interface LimitBucket {
  /** Name of the bucket, for example `key`, `jwt`, `ip`, `quotes`. */
  readonly name: string;
  readonly points: number;
  readonly windowMs: number;
}

export interface LimitState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** A charge that another statement of the database takes along: the row it is counted in, and the bucket. */
export interface StatementCharge {
  readonly bucket: LimitBucket;
  readonly key: string;
}

export interface LimitStore {
  /** Take one point of `subject`'s bucket. Shared by all processes on the database, or on the Redis they name. */
  consume(bucket: LimitBucket, subject: string): Promise<LimitState>;
  /** Return the state of a subject that is known to be over its limit, without a statement; else null. */
  refusalOf(bucket: LimitBucket, subject: string): LimitState | null;
  /** The charge as part of another statement; null where buckets are counted elsewhere. */
  chargeOf(bucket: LimitBucket, subject: string): StatementCharge | null;
  /** Windows run on the operating system's clock; forgets at most `limit` of those that ended, returns how many. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
}
