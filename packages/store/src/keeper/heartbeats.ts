export interface HeartbeatRecord {
  readonly name: string;
  readonly lastHeartbeatAtMs: number;
  readonly lastSuccessAtMs: number | null;
  readonly detail: unknown;
}

export interface HeartbeatStore {
  report(heartbeat: {
    readonly name: string;
    readonly nowMs: number;
    readonly succeeded: boolean;
    readonly detail?: object;
  }): Promise<void>;
  byName(name: string): Promise<HeartbeatRecord | null>;
  all(): Promise<readonly HeartbeatRecord[]>;
}
