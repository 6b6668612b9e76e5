import type { Environment } from '@core/runtime';
import type { Store } from '@core/store';
import type { OperatedVault } from './vault/sendCall.ts';

/** Dependencies of the commands. Each is opened on first use. */
export interface Operations {
  /** @throws FriendlyError when the database is unreachable or has pending migrations. */
  readonly store: () => Promise<Pick<Store, 'markets' | 'oracles' | 'partners' | 'apiKeys' | 'sharing' | 'heartbeats'>>;
  readonly databaseUrl: () => string;
  readonly vault: () => Promise<OperatedVault>;
  readonly environment: Environment;
  readonly nowMs: () => number;
}

/** Arguments and options of one call, validated against its command. */
export interface Call {
  readonly args: readonly string[];
  /** Return the value of an option; undefined when it is absent. */
  readonly option: (name: string) => string | undefined;
  /** Values of `--set`, in order. */
  readonly changes: readonly string[];
}

/** Outcome of a command. */
export interface Operated {
  /** Printed as JSON. */
  readonly value: object;
  /** Printed instead of `value` without `--json`. */
  readonly text?: string;
  /** True when the command ran and one of its checks failed. */
  readonly isFailedCheck?: boolean;
}

/** Operator command. */
export interface CommandRow {
  /** Noun and verb, then the arguments in angle brackets. */
  readonly usage: string;
  readonly summary: string;
  /** Names of options with the form of their values. */
  readonly options?: Readonly<Record<string, string>>;
  readonly run: (operations: Operations, call: Call) => Promise<Operated>;
}
