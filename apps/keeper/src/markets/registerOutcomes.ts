import { Fault } from '@core/errors';
import type { Clock } from '@core/runtime';
import type { DueMarket, Lease, Store } from '@core/store';
import { conditionalTokensAbi, vaultAbi } from '@core/vault';
import { type Address, encodeFunctionData, type Hex, type PublicClient } from 'viem';
import { Backoff } from '../runner/backoff.ts';
import { locks, type Task } from '../runner/task.ts';
import { type Intents, ofOperation } from '../transactions/intents.ts';
import type { TransactionSender } from '../transactions/transactionSender.ts';

/** Markets registered in one round; the next round takes the rest. */
const maxPerRound = 8;
/** Markets looked at in one round: their reads travel together. */
const maxRead = 64;
/** A market that could not be registered: its condition is not there yet, or the vault refuses it. */
const retries = { firstMs: 1_000, longestMs: 300_000 };

export interface RegisterOutcomesOptions {
  readonly client: PublicClient;
  readonly contracts: { readonly vault: Address; readonly conditionalTokens: Address };
  readonly markets: Pick<Store['markets'], 'unregistered' | 'recordOutcomes'>;
  readonly intents: Intents;
  readonly sender: Pick<TransactionSender, 'send'>;
  readonly clock: Clock;
}

/** A market of which the vault lacks an outcome, as the chain has it. */
interface Candidate {
  readonly market: DueMarket;
  /** The venue's oracle has made the condition on chain; before that a registration reverts. */
  readonly isPrepared: boolean;
  readonly outcomes: readonly {
    readonly tokenId: string;
    readonly indexSet: bigint;
    /** 0 while the vault does not know it. */
    readonly outcomeId: number;
  }[];
}

/**
 * Registers both outcomes of every market that can be traded: a position needs its outcome to be known to the vault.
 * What closes soonest comes first, because it can be traded no later. One that comes to nothing is put off for longer
 * each time, so that it holds up none of the others.
 */
export function registerOutcomesTask(options: RegisterOutcomesOptions): Task {
  const backoff = new Backoff(retries);
  return {
    name: 'registerOutcomes',
    lock: locks.registrations,
    intervalMs: 1_000,
    async run(lease) {
      const except = backoff.waiting(performance.now());
      const missing = await options.markets.unregistered({ except, limit: maxRead });
      const candidates = await Promise.all(missing.map((market) => candidateOf(options, market)));
      for (const { market, isPrepared } of candidates) {
        if (!isPrepared) backoff.postpone(market.id, performance.now());
      }
      const chosen = candidates.filter(({ isPrepared }) => isPrepared).slice(0, maxPerRound);
      const results = await Promise.allSettled(chosen.map((candidate) => registerMarket(options, candidate, lease)));
      const failures: unknown[] = [];
      for (const [index, result] of results.entries()) {
        const id = chosen[index]?.market.id ?? '';
        if (result.status === 'fulfilled' && result.value) backoff.forget(id);
        else backoff.postpone(id, performance.now());
        if (result.status === 'rejected') failures.push(result.reason);
      }
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} markets could not be registered`);
    },
  };
}

async function candidateOf({ client, contracts }: RegisterOutcomesOptions, market: DueMarket): Promise<Candidate> {
  const conditionId = market.venueMarketId as Hex;
  const outcomeIdOf = (tokenId: string): Promise<number> =>
    client.readContract({
      address: contracts.vault,
      abi: vaultAbi,
      functionName: 'outcomeIdOf',
      args: [conditionId, BigInt(tokenId)],
    });
  const [slotCount, yesOutcomeId, noOutcomeId] = await Promise.all([
    client.readContract({
      address: contracts.conditionalTokens,
      abi: conditionalTokensAbi,
      functionName: 'getOutcomeSlotCount',
      args: [conditionId],
    }),
    outcomeIdOf(market.yesTokenId),
    outcomeIdOf(market.noTokenId),
  ]).catch((cause: unknown) => {
    throw new Fault({ origin: 'chain', kind: 'retryable', message: `${market.ticker} cannot be read`, cause });
  });
  return {
    market,
    isPrepared: slotCount === 2n,
    outcomes: [
      { tokenId: market.yesTokenId, indexSet: 1n, outcomeId: yesOutcomeId },
      { tokenId: market.noTokenId, indexSet: 2n, outcomeId: noOutcomeId },
    ],
  };
}

/** True when the vault took every outcome that it lacked. */
async function registerMarket(
  options: RegisterOutcomesOptions,
  { market, outcomes }: Candidate,
  lease: Lease,
): Promise<boolean> {
  const { markets, clock } = options;
  // Registered by someone else, or by us in a block that is not indexed yet.
  const known = outcomes.filter(({ outcomeId }) => outcomeId !== 0);
  if (known.length > 0) await markets.recordOutcomes(known, clock.nowMs());
  for (const { tokenId, indexSet, outcomeId } of outcomes) {
    if (outcomeId === 0 && !(await registerOutcome(options, market, { tokenId, indexSet, lease }))) return false;
  }
  return true;
}

async function registerOutcome(
  { contracts, intents, sender }: RegisterOutcomesOptions,
  market: DueMarket,
  { tokenId, indexSet, lease }: { readonly tokenId: string; readonly indexSet: bigint; readonly lease: Lease },
): Promise<boolean> {
  const last = ofOperation(await intents.recent(tokenId), 'register_outcome').at(-1);
  const hasFailed = last !== undefined && ['dropped', 'reverted', 'replaced'].includes(last.state);
  const data = encodeFunctionData({
    abi: vaultAbi,
    functionName: 'registerOutcome',
    args: [market.oracleAddress as Address, market.questionId as Hex, indexSet],
  });
  const { kind } = await sender.send({
    subject: tokenId,
    operation: 'register_outcome',
    attempt: hasFailed ? last.attempt + 1 : (last?.attempt ?? 1),
    plan: { kind: 'transaction', to: contracts.vault, data, details: {} },
    lease,
  });
  return kind === 'included';
}
