import { marketProtocols } from '@core/market';
import type { Clock } from '@core/runtime';
import type { Lease, Store, UnregisteredMarket } from '@core/store';
import { conditionalTokensAbi, isManagedToken, vaultAbi } from '@core/vault';
import type { Logger } from 'pino';
import { type Address, encodeFunctionData, type Hex, type PublicClient, slice } from 'viem';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import { chainFault } from '../transactions/chainFault.ts';
import { type Intents, ofOperation } from '../transactions/intents.ts';
import { revertNameOf } from '../transactions/revertName.ts';
import type { TransactionSender } from '../transactions/transactionSender.ts';

/** Markets registered in one round; the next round registers the rest. */
const maxPerRound = 8;
/** Markets read in one round: their reads are batched. */
const maxRead = 64;
/** Pauses of a market that could not be registered: its condition does not exist yet, or the vault refuses it. */
const retries = { firstMs: 1_000, longestMs: 300_000 };

/** Bytes of a condition of the PositionManager, which is stored with a zero byte behind them. */
const { conditionIdBytes: conditionBytes } = marketProtocols.v2;

export interface RegisterOutcomesOptions {
  readonly client: PublicClient;
  readonly contracts: { readonly vault: Address; readonly conditionalTokens: Address };
  readonly markets: Pick<Store['markets'], 'unregistered' | 'recordOutcomes'>;
  readonly intents: Intents;
  readonly sender: Pick<TransactionSender, 'send'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
}

/** On-chain state of a market whose outcomes the vault lacks. */
interface Candidate {
  readonly market: UnregisteredMarket;
  /** True when the venue has prepared the condition on chain; before that a registration reverts. */
  readonly isPrepared: boolean;
  readonly outcomes: readonly Outcome[];
}

interface Outcome {
  readonly tokenId: string;
  readonly indexSet: bigint;
  /** 0 while it is not registered in the vault. */
  readonly outcomeId: number;
}

/**
 * Register both outcomes of every tradable market: a position needs a registered outcome. Markets that close soonest
 * come first. A market that fails is postponed for longer each time, so that it blocks none of the others.
 */
export function registerOutcomesTask(options: RegisterOutcomesOptions): Task {
  const { logger, metrics } = options;
  const isolation = { pauses: retries, logger, metrics };
  const reading = new IsolatedItems({ name: 'readOutcomes', atOnce: maxRead, ...isolation });
  const registering = new IsolatedItems({ name: 'registerOutcomes', atOnce: maxPerRound, ...isolation });
  return {
    name: 'registerOutcomes',
    lock: locks.registrations,
    intervalMs: 1_000,
    async run(lease) {
      const except = [...reading.waiting, ...registering.waiting];
      const missing = await options.markets.unregistered({ except, limit: maxRead });
      const prepared: Candidate[] = [];
      await reading.serve(missing, idOf, async (market) => {
        const candidate = await candidateOf(options, market);
        if (candidate.isPrepared) prepared.push(candidate);
        return candidate.isPrepared;
      });
      const inOrder = prepared.toSorted((left, right) => missing.indexOf(left.market) - missing.indexOf(right.market));
      await registering.serve(
        inOrder.slice(0, maxPerRound),
        ({ market }) => market.id,
        (candidate) => registerMarket(options, candidate, lease),
      );
    },
  };
}

const idOf = ({ id }: UnregisteredMarket): string => id;

async function candidateOf(options: RegisterOutcomesOptions, market: UnregisteredMarket): Promise<Candidate> {
  const { client, contracts } = options;
  const outcomeIdOf = (tokenId: string): Promise<number> =>
    client.readContract({
      address: contracts.vault,
      abi: vaultAbi,
      functionName: 'outcomeIdOf',
      args: [market.venueMarketId, BigInt(tokenId)],
    });
  const isManaged = isManagedToken(BigInt(market.yesTokenId));
  const [isPrepared, yesOutcomeId, noOutcomeId] = await Promise.all([
    isManaged || isPreparedAtTokens(options, market),
    outcomeIdOf(market.yesTokenId),
    outcomeIdOf(market.noTokenId),
  ]).catch((cause: unknown) => {
    throw chainFault(`${market.ticker} cannot be read`, cause);
  });
  const outcomes = [
    { tokenId: market.yesTokenId, indexSet: 1n, outcomeId: yesOutcomeId },
    { tokenId: market.noTokenId, indexSet: 2n, outcomeId: noOutcomeId },
  ];
  return { market, isPrepared: isPrepared && (!isManaged || (await isAccepted(options, market, outcomes))), outcomes };
}

async function isPreparedAtTokens(
  { client, contracts }: RegisterOutcomesOptions,
  { venueMarketId }: UnregisteredMarket,
): Promise<boolean> {
  const slotCount = await client.readContract({
    address: contracts.conditionalTokens,
    abi: conditionalTokensAbi,
    functionName: 'getOutcomeSlotCount',
    args: [venueMarketId],
  });
  return slotCount === 2n;
}

/**
 * Return true when the vault would register the missing outcomes of a market of the PositionManager: it asks module and
 * oracle aggregator itself.
 */
async function isAccepted(
  { client, contracts, logger }: RegisterOutcomesOptions,
  market: UnregisteredMarket,
  outcomes: readonly Outcome[],
): Promise<boolean> {
  const missing = outcomes.find(({ outcomeId }) => outcomeId === 0);
  if (missing === undefined) return true;
  try {
    await client.call({ to: contracts.vault, data: registrationOf(market, missing) });
    return true;
  } catch (cause) {
    const reason = revertNameOf(cause);
    if (reason === null) throw chainFault(`the registration of ${market.ticker} cannot be simulated`, cause);
    logger.info({ ticker: market.ticker, reason }, 'the vault does not register this market yet');
    return false;
  }
}

/** Return the call that registers an outcome, by the ledger of its token. */
function registrationOf(
  { oracleAddress, questionId, venueMarketId }: UnregisteredMarket,
  { tokenId, indexSet }: Pick<Outcome, 'tokenId' | 'indexSet'>,
): Hex {
  if (!isManagedToken(BigInt(tokenId))) {
    const args = [oracleAddress, questionId, indexSet] as const;
    return encodeFunctionData({ abi: vaultAbi, functionName: 'registerOutcome', args });
  }
  const args = [slice(venueMarketId, 0, conditionBytes), indexSet - 1n] as const;
  return encodeFunctionData({ abi: vaultAbi, functionName: 'registerManagedOutcome', args });
}

/** Register every outcome that the vault lacks. Return true on success. */
async function registerMarket(
  options: RegisterOutcomesOptions,
  { market, outcomes }: Candidate,
  lease: Lease,
): Promise<boolean> {
  const { markets, clock } = options;
  // Registered by another account, or by this keeper in a block that is not indexed yet.
  const registeredOutcomes = outcomes.filter(({ outcomeId }) => outcomeId !== 0);
  if (registeredOutcomes.length > 0) await markets.recordOutcomes(registeredOutcomes, clock.nowMs());
  for (const { tokenId, indexSet, outcomeId } of outcomes) {
    if (outcomeId === 0 && !(await registerOutcome(options, market, { tokenId, indexSet, lease }))) return false;
  }
  return true;
}

async function registerOutcome(
  { contracts, intents, sender }: RegisterOutcomesOptions,
  market: UnregisteredMarket,
  { tokenId, indexSet, lease }: { readonly tokenId: string; readonly indexSet: bigint; readonly lease: Lease },
): Promise<boolean> {
  const last = ofOperation(await intents.recent(tokenId), 'register_outcome').at(-1);
  const hasFailed = last !== undefined && ['reverted', 'replaced'].includes(last.state);
  const data = registrationOf(market, { tokenId, indexSet });
  const { kind } = await sender.send({
    subject: tokenId,
    operation: 'register_outcome',
    attempt: hasFailed ? last.attempt + 1 : (last?.attempt ?? 1),
    plan: { kind: 'transaction', to: contracts.vault, data, details: {} },
    lease,
  });
  return kind === 'included';
}
