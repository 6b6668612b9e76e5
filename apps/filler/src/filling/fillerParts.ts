import type { FillTerms } from '@core/policy';
import type { Clock, Logger } from '@core/runtime';
import type { FillerAccount } from '../chain/fillerAccount.ts';
import type { TransactionSender } from '../chain/transactionSender.ts';
import type { VaultGrants } from '../chain/vaultGrants.ts';
import type { FillerMetrics } from '../http/fillerMetrics.ts';
import type { Journal } from '../journal/journal.ts';
import type { MarketBooks } from '../venue/marketBooks.ts';
import type { VenueTrader } from '../venue/venueTrader.ts';
import type { Float } from './float.ts';

/** Parts that fills and sales work with. */
export interface FillerParts {
  readonly grants: VaultGrants;
  readonly account: FillerAccount;
  readonly sender: TransactionSender;
  readonly trader: VenueTrader;
  readonly books: MarketBooks;
  readonly journal: Journal;
  readonly float: Float;
  readonly terms: FillTerms;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: FillerMetrics;
}
