import { Fault } from '@core/errors';
import type { Clock } from '@core/runtime';
import type { DueMarket, Store, StoreTransaction } from '@core/store';
import { conditionalTokensAbi } from '@core/vault';
import type { Logger } from 'pino';
import type { Address, Hex, PublicClient } from 'viem';
import type { ProjectPositions } from '../indexer/projectPositions.ts';
import { Backoff } from '../runner/backoff.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import { isPlainPayout } from './isPlainPayout.ts';
import { moveTowards } from './moveTowards.ts';

export interface ReadPayoutsOptions {
  readonly client: PublicClient;
  readonly conditionalTokens: Address;
  readonly store: Pick<Store, 'markets' | 'transaction'>;
  readonly project: ProjectPositions;
  readonly metrics: Pick<KeeperMetrics, 'strangePayouts'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Markets asked for in one round: their reads travel together. */
const maxRead = 256;
/** Between the close of a market and its payouts lie minutes or days: it is asked for less and less often. */
const retries = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Looks on chain for the payout vector of every market that may have one: nothing else settles anything. A market that
 * has none yet is put off, until its status moves at the latest.
 */
export function readPayoutsTask(options: ReadPayoutsOptions): Task {
  const { client, conditionalTokens, store, clock, logger } = options;
  const backoff = new Backoff(retries);
  return {
    name: 'readPayouts',
    lock: locks.index,
    intervalMs: 1_000,
    async run() {
      const except = backoff.waiting(performance.now()).map(waitingOf);
      const candidates = await store.markets.unresolved({ nowMs: clock.nowMs(), except, limit: maxRead });
      const payouts = await payoutsOf({ client, conditionalTokens }, candidates);
      for (const [index, market] of candidates.entries()) {
        const reported = payouts[index] ?? null;
        if (reported === null) {
          backoff.postpone(subjectOf(market), performance.now());
        } else {
          await recordPayouts(options, market, reported);
          await moveTowards({ markets: store.markets, clock, logger }, market, 'finalized');
        }
      }
    },
  };
}

type Waiting = Pick<DueMarket, 'id' | 'status'>;

const subjectOf = ({ id, status }: Waiting): string => `${id}:${status}`;

function waitingOf(subject: string): Waiting {
  const [id = '', status] = subject.split(':');
  return { id, status: status as Waiting['status'] };
}

interface Payouts {
  readonly numerators: readonly bigint[];
  readonly denominator: bigint;
}

/** The payouts of each market, null where the chain has none yet. @throws Fault retryable when the chain is away. */
async function payoutsOf(
  { client, conditionalTokens }: Pick<ReadPayoutsOptions, 'client' | 'conditionalTokens'>,
  markets: readonly DueMarket[],
): Promise<readonly (Payouts | null)[]> {
  const tokens = { address: conditionalTokens, abi: conditionalTokensAbi } as const;
  const read = async ({ venueMarketId }: DueMarket): Promise<Payouts | null> => {
    const condition = venueMarketId as Hex;
    const denominator = await client.readContract({ ...tokens, functionName: 'payoutDenominator', args: [condition] });
    if (denominator === 0n) return null;
    const numerators = await Promise.all(
      [0n, 1n].map((index) =>
        client.readContract({ ...tokens, functionName: 'payoutNumerators', args: [condition, index] }),
      ),
    );
    return { numerators, denominator };
  };
  return Promise.all(markets.map(read)).catch((cause: unknown) => {
    throw new Fault({ origin: 'chain', kind: 'retryable', message: 'payouts cannot be read', cause });
  });
}

/** The payouts, the status of every position they settle, and the event for its owner, in one transaction. */
async function recordPayouts(options: ReadPayoutsOptions, market: DueMarket, payouts: Payouts): Promise<void> {
  const { store, clock, logger } = options;
  await store.transaction(async (unit) => {
    const { venueMarketId } = market;
    const isNew = await unit.markets.recordPayouts({ venueMarketId, ...payouts, nowMs: clock.nowMs() });
    if (isNew) {
      logger.info({ ticker: market.ticker, numerators: payouts.numerators.map(String) }, 'payouts reported');
      await settlePositions(options, unit, market);
      if (!isPlainPayout(payouts.numerators)) await stopOracle(options, unit, { market, payouts });
    }
  });
}

/**
 * Its positions settle by what redemption pays, as any other; but an oracle that says what no binary market can mean is
 * not believed about the next one: no quote on any of its markets until an operator has looked.
 */
async function stopOracle(
  { clock, logger, metrics }: ReadPayoutsOptions,
  unit: StoreTransaction,
  { market, payouts }: { readonly market: DueMarket; readonly payouts: Payouts },
): Promise<void> {
  const { ticker, oracleAddress } = market;
  const numerators = payouts.numerators.map(String);
  metrics.strangePayouts.inc();
  logger.error({ ticker, oracle: oracleAddress, numerators }, 'payouts that no market has: its oracle is stopped');
  if (oracleAddress === null) return;
  const reason = `paid ${numerators.join(' to ')} in ${ticker}`;
  await unit.oracles.stop({ address: oracleAddress, reason, stoppedAtMs: clock.nowMs() });
}

async function settlePositions({ project }: ReadPayoutsOptions, unit: StoreTransaction, market: DueMarket) {
  const active = await unit.positions.activeOfMarket(market.id);
  const subjects = active.map(({ positionKey }) => positionKey);
  await project(unit, { subjects, fromBlock: null, also: 'position.settlement_state_changed' });
}
