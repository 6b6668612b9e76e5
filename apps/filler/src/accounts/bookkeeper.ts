import { raw } from '@core/pricing';
import { type Finality, finalBlockOf, type Logger } from '@core/runtime';
import type { FillerAccount } from '../chain/fillerAccount.ts';
import type { Journal } from '../journal/journal.ts';
import { type MovementSource, readMovements } from './bookMovements.ts';
import { profitAndLossOf } from './profitAndLoss.ts';

export interface BookkeeperOptions {
  readonly source: MovementSource;
  readonly account: FillerAccount;
  readonly journal: Journal;
  /** Rule for the blocks that are booked. */
  readonly finality: Finality;
  readonly logger: Logger;
  /** Called with the USDC on chain less the USDC of the accounts; 0 when they agree. */
  readonly onCompared: (differenceUsdcUnits: bigint) => void;
}

/** Bookings of the account from the chain, compared with its balance each time. */
export class Bookkeeper {
  readonly #options: BookkeeperOptions;

  constructor(options: BookkeeperOptions) {
    this.#options = options;
  }

  /** Book all final blocks. @throws Fault retryable when the chain does not answer. */
  async book(headBlock: bigint): Promise<void> {
    const { source, account, journal, finality, logger, onCompared } = this.#options;
    const to = await finalBlockOf(source.client, { finality, head: headBlock });
    const { throughBlock } = journal.state;
    if (to === null || throughBlock === null || to <= throughBlock) return;
    const [movements, balance] = await Promise.all([
      readMovements(source, { from: throughBlock + 1n, to }),
      account.usdcUnits(to),
    ]);
    if (movements.length > 0) journal.write({ kind: 'booked', throughBlock: to, movements });
    else journal.state.throughBlock = to;
    const accountsUsdcUnits = profitAndLossOf(journal.state)?.balanceUsdcUnits ?? 0n;
    const difference = raw(balance) - accountsUsdcUnits;
    onCompared(difference);
    if (difference !== 0n) logger.error({ difference, throughBlock: to }, 'accounts differ from the chain');
  }
}
