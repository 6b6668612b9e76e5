import type { Environment } from '@core/store';
import type { Address } from 'viem';

/** What distinguishes one running service from another; read once at start. */
export interface ApiConfig {
  /** 0 takes a free port. */
  readonly port: number;
  /** Port of `/metrics`; null serves none. */
  readonly metricsPort: number | null;
  readonly environment: Environment;
  /** Lead-in before every type prefix of an ID, or empty. */
  readonly idNamespace: string;
  /** Addresses whose `X-Forwarded-For` is believed; empty believes nobody. */
  readonly trustProxy: readonly string[];
  /** Origins whose scripts may call the interface from a browser; empty lets in nobody. */
  readonly corsOrigins: readonly string[];
  readonly chainId: number;
  readonly contracts: { readonly vault: Address; readonly usdc: Address };
  readonly switches: { readonly isQuoteCreationEnabled: boolean; readonly isPartialOpenEnabled: boolean };
  /** How long the figures of a market list may be reused for one partner. */
  readonly marketListAgeMs: number;
  /** Name of a point at which the process kills itself; tests of crashes only. */
  readonly crashPoint: CrashPoint | null;
}

/** Points at which a test may kill the process. */
export type CrashPoint = 'after_reserve' | 'before_answer';
