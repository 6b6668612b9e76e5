export interface LimitBucket {
  /** What is limited, for example `key`, `jwt`, `ip`, `quotes`. */
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

export interface LimitStore {
  /** Takes one point of `subject`'s bucket. Shared by all processes on the database. */
  consume(bucket: LimitBucket, subject: string): Promise<LimitState>;
  /** Windows run on the operating system's clock; forgets those that ended, returns how many. */
  removeExpired(nowMs: number): Promise<number>;
}
