/** An oracle of whose markets none is quoted on until an operator says otherwise. */
export interface StoppedOracle {
  /** In lower case. */
  readonly address: string;
  readonly reason: string;
  /** On the service clock. */
  readonly stoppedAtMs: number;
}

/** Why a market of a stopped oracle is disabled; a market that an operator disabled keeps its own reason. */
export const oracleStopped = 'oracle_stopped';

export interface OracleStore {
  stopped(): Promise<readonly StoppedOracle[]>;
  /** Disables every market of the oracle that is not final, those listed later too. False when it was stopped. */
  stop(oracle: StoppedOracle): Promise<boolean>;
  /** Enables what the stop disabled. False when the oracle is not stopped. */
  resume(address: string, nowMs: number): Promise<boolean>;
}
