import type { VenueControl } from '@core/venue-sim/control';
import type { PositionWire } from '@core/wire';
import type { Wallet } from '../clients/wallet.ts';
import type { Driver } from '../steps/driver.ts';

/** State that all scenarios share. */
export interface Stage {
  readonly driver: Driver;
  readonly venue: VenueControl;
  readonly wallet: (name: string) => Wallet;
  /** Tickers of used markets: each scenario has its own. */
  readonly usedTickers: Set<string>;
}

/** A finished position under the name of its scenario. */
export interface ScenarioResult {
  readonly name: string;
  readonly wallet: Wallet;
  readonly position: PositionWire;
}
