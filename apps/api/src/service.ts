import type { ContractTerms, PolicyConfig } from '@core/policy';
import type { Store } from '@core/store';
import type { QuoteSigner } from '@core/vault';
import type { Clock } from '@core/venue';
import type { UserTokens } from './auth/userTokens.ts';
import type { ApiConfig, CrashPoint } from './config.ts';
import type { KeeperPulse } from './observe/keeperPulse.ts';
import type { MarketBoard } from './observe/marketBoard.ts';
import type { MarketDirectory } from './observe/marketDirectory.ts';
import type { PoolView } from './observe/poolReader.ts';

/** Everything a handler may use. */
export interface Service {
  readonly config: ApiConfig;
  readonly policy: PolicyConfig;
  /** Read from the vault when the process started: immutable there. */
  readonly contract: ContractTerms;
  readonly clock: Clock;
  readonly store: Store;
  readonly signer: QuoteSigner;
  readonly userTokens: UserTokens;
  readonly markets: MarketDirectory;
  readonly board: MarketBoard;
  readonly pool: PoolView;
  readonly keeper: KeeperPulse;
  /** Kills the process when a test asked for it at this point; does nothing otherwise. */
  readonly crashAt: (point: CrashPoint) => void;
}
