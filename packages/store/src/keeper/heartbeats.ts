export interface HeartbeatRecord {
  readonly name: string;
  readonly lastBeatAtMs: number;
  readonly lastSuccessAtMs: number | null;
  readonly detail: unknown;
}

export interface HeartbeatStore {
  beat(beat: {
    readonly name: string;
    readonly nowMs: number;
    readonly succeeded: boolean;
    readonly detail?: object;
  }): Promise<void>;
  byName(name: string): Promise<HeartbeatRecord | null>;
  all(): Promise<readonly HeartbeatRecord[]>;
}
