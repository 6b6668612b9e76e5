import { marketFields } from '@core/market';
import { type Clock, type Finality, finalBlockOf } from '@core/runtime';
import type { DueMarket, Store, StoreTransaction } from '@core/store';
import { isManagedToken, type LedgerContracts, type ReportedShares, readShares } from '@core/vault';
import type { Logger } from 'pino';
import type { PublicClient } from 'viem';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import { chainFault } from '../transactions/chainFault.ts';
import { moveTowards } from './moveTowards.ts';

export interface ReadPayoutsOptions {
  readonly client: PublicClient;
  readonly contracts: LedgerContracts;
  readonly store: Pick<Store, 'markets' | 'transaction'>;
  /** Rule for the blocks at which payouts are read. */
  readonly finality: Finality;
  readonly metrics: Pick<KeeperMetrics, 'strangePayouts' | 'itemFailures' | 'failingItems'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Markets read in one round: their reads are batched. */
const maxRead = 256;
/** Pauses of a market without payouts: minutes or days pass between its close and its payouts. */
const retries = { firstMs: 1_000, longestMs: 30_000 };

/** Markets recorded concurrently: every transaction uses a database connection. */
const maxRecording = 4;

/**
 * Read the payout vector of every market that may have one from the chain: nothing else settles a market. A market
 * without one is postponed until its status moves at the latest; a failing one is postponed on its own.
 */
export function readPayoutsTask(options: ReadPayoutsOptions): Task {
  const { client, store, finality, clock, logger, metrics } = options;
  const isolation = { pauses: retries, logger, metrics };
  const reading = new IsolatedItems({ name: 'readPayouts', atOnce: maxRead, ...isolation });
  const recording = new IsolatedItems({ name: 'recordPayouts', atOnce: maxRecording, ...isolation });
  return {
    name: 'readPayouts',
    lock: locks.index,
    intervalMs: 1_000,
    async run() {
      const except = [...reading.waiting, ...recording.waiting].map(waitingOf);
      const candidates = await store.markets.unresolved({ nowMs: clock.nowMs(), except, limit: maxRead });
      if (candidates.length === 0) return;
      const head = await client.getBlockNumber().catch(throwUnreadable);
      // Only final blocks settle a market.
      const blockNumber = await finalBlockOf(client, { finality, head });
      if (blockNumber === null) return;
      const reported: Reported[] = [];
      await reading.serve(candidates, subjectOf, async (market) => {
        const { venueMarketId: conditionId, yesTokenId, noTokenId } = market;
        const tokenIds = [BigInt(yesTokenId), BigInt(noTokenId)] as const;
        const { contracts } = options;
        const payouts = await readShares(client, { contracts, conditionId, tokenIds, blockNumber }).catch(
          throwUnreadable,
        );
        if (payouts !== null) reported.push({ market, payouts });
        return payouts !== null;
      });
      await recording.serve(
        reported,
        ({ market }) => subjectOf(market),
        async ({ market, payouts }) => {
          await storePayouts(options, market, payouts);
          await moveTowards({ markets: store.markets, clock, logger }, market, 'finalized');
          return true;
        },
      );
    },
  };
}

interface Reported {
  readonly market: DueMarket;
  readonly payouts: ReportedShares;
}

/** @throws Fault retryable: the chain does not answer. */
function throwUnreadable(cause: unknown): never {
  throw chainFault('payouts cannot be read', cause);
}

type Waiting = Pick<DueMarket, 'id' | 'status'>;

const subjectOf = ({ id, status }: Waiting): string => `${id}:${status}`;

function waitingOf(subject: string): Waiting {
  const [id = '', text] = subject.split(':');
  const status = marketFields.status.values.find((name) => name === text);
  if (status === undefined) throw new Error(`${subject} names no status of a market`);
  return { id, status };
}

/**
 * Record payouts, after which the positions settle, and stop an oracle that reported an impossible vector, in one
 * transaction.
 */
async function storePayouts(options: ReadPayoutsOptions, market: DueMarket, payouts: ReportedShares): Promise<void> {
  const { store, clock, logger } = options;
  await store.transaction(async (unit) => {
    const { venueMarketId } = market;
    const isNew = await unit.markets.recordPayouts({ venueMarketId, ...payouts, nowMs: clock.nowMs() });
    if (!isNew) return;
    logger.info({ ticker: market.ticker, numerators: payouts.numerators.map(String) }, 'payouts reported');
    if (!isPossible(market, payouts)) await stopOracle(options, unit, { market, payouts });
  });
}

/**
 * Stop an oracle that reported payouts no binary market can have. The positions of this market settle by their
 * redemption value as usual, but no quote is issued on any market of the oracle until an operator resumes it.
 */
async function stopOracle(
  { clock, logger, metrics }: ReadPayoutsOptions,
  unit: StoreTransaction,
  { market, payouts }: { readonly market: DueMarket; readonly payouts: ReportedShares },
): Promise<void> {
  const { ticker, oracleAddress } = market;
  const numerators = payouts.numerators.map(String);
  metrics.strangePayouts.inc();
  logger.error({ ticker, oracle: oracleAddress, numerators }, 'impossible payouts: oracle stopped');
  if (oracleAddress === null) return;
  const reason = `paid ${numerators.join(' to ')} in ${ticker}`;
  await unit.oracles.stop({ address: oracleAddress, reason, stoppedAtMs: clock.nowMs() });
}

/** Return true for payouts that the market's ledger can mean: the PositionManager's are any split. */
function isPossible({ yesTokenId }: DueMarket, { numerators, denominator }: ReportedShares): boolean {
  const [yes, no] = numerators;
  return isManagedToken(BigInt(yesTokenId)) ? yes + no === denominator : isPlainPayout(numerators);
}

/** True when one outcome pays all, or both pay the same: what a won market and a void one report. */
export function isPlainPayout(numerators: readonly bigint[]): boolean {
  const [yes, no, ...more] = numerators;
  if (yes === undefined || no === undefined || more.length > 0) return false;
  return yes === no ? yes > 0n : yes === 0n || no === 0n;
}
