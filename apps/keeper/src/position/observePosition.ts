import type { PositionObservation } from '@core/policy';
import { multiplyDivide, type PricePips, pricePips, raw, tokenUnits, type UsdcUnits, usdcUnits } from '@core/pricing';
import type { IntentRecord, MarketRecord, PositionRecord } from '@core/store';
import type { VenueMarket } from '@core/venue';
import type { Address, Hex } from 'viem';
import { sellableRequestOf } from '../orders/closeRequest.ts';
import type { KeeperPorts } from '../ports.ts';
import { type ChainPosition, readChainPosition } from './chainPosition.ts';

/** What one look at a position brings: the policy's observation and what acting on it needs. */
export interface PositionSight {
  readonly record: PositionRecord;
  readonly market: MarketRecord;
  readonly chain: ChainPosition;
  readonly intents: readonly IntentRecord[];
  /** Live mark of the position's token; null while none is known that a sale may rest on. */
  readonly markPricePips: PricePips | null;
  readonly observation: PositionObservation;
}

type Looked = Omit<PositionSight, 'observation'>;

const withObservation = (looked: Looked): PositionSight => ({ ...looked, observation: observationOf(looked) });

/** The vault opens nothing later than this after the creation. */
const openWindowMs = 300_000;

/** States in which an intent is still under way. */
export const unfinishedStates: readonly IntentRecord['state'][] = ['prepared', 'signed', 'broadcast', 'reorged'];

/**
 * Looks at chain, venue (through the followed intents) and intents, in this order. Null when the node that answered is
 * behind a block we have already acted in: acting on its word would repeat what is done.
 */
export async function observePosition(
  ports: KeeperPorts,
  record: PositionRecord,
  market: MarketRecord,
): Promise<PositionSight | null> {
  const chain = await readChainPosition({
    client: ports.client,
    contracts: ports.contracts,
    positionKey: record.positionKey as Hex,
    account: record.accountAddress as Address,
    tokenId: BigInt(record.venueTokenId),
    conditionId: record.venueMarketId as Hex,
  });
  const intents = await ports.store.intents.ofSubject(record.positionKey);
  const isBehind = intents.some(({ blockNumber }) => blockNumber !== null && blockNumber > chain.blockNumber);
  return isBehind
    ? null
    : withObservation({ record, market, chain, intents, markPricePips: ports.debts.markOf(record.venueTokenId) });
}

/** Pure: the observation that the policy decides on. Chain time is the only clock in it. */
export function observationOf(sight: Looked): PositionObservation {
  const { record, market, chain } = sight;
  const notional = record.quotedNotionalUsdcUnits;
  const isPartial = raw(record.contractMinFillBps) < 10_000n;
  const opening = attemptsOf(sight, 'authorize_open');
  const closing = attemptsOf(sight, 'authorize_close');
  return {
    nowMs: chain.blockTimeMs,
    positionKey: record.positionKey,
    state: chain.state,
    isKnownQuote: record.quoteId !== null,
    liveOrder: liveOrderOf(sight),
    isMarketTradable: isTradable(market, market.record as VenueMarket) && chain.payoutDenominator === 0n,
    arePayoutsKnown: chain.payoutDenominator > 0n,
    opening: {
      isCancelRequested: chain.isCancelRequested,
      windowEndsAtMs: record.createdAtMs + openWindowMs,
      allowPartialFill: isPartial,
      notionalUsdcUnits: notional,
      floorUsdcUnits: isPartial ? multiplyDivide(notional, raw(record.contractMinFillBps), 10_000n, 'up') : notional,
      filledUsdcUnits: usdcUnits(chain.filledUsdcUnits),
      ...opening,
    },
    closing: {
      heldTokenUnits: tokenUnits(chain.bookedTokenUnits),
      requestedTokenUnits: sellableRequestOf(tokenUnits(chain.closeTokenUnits), tokenUnits(chain.bookedTokenUnits)),
      minPricePips: pricePips(chain.closeMinPricePips),
      isDeferred: sight.intents.some(({ operation }) => operation === 'defer_close'),
      ...closing,
    },
    liquidation: { isDue: isLiquidationDue(sight), ...attemptsOf(sight, 'authorize_liquidate') },
  };
}

function isLiquidationDue({ chain, markPricePips }: Looked): boolean {
  const price = chain.liquidationPricePips;
  return price > 0n && markPricePips !== null && raw(markPricePips) <= price;
}

/**
 * The market is open and nothing of a resolution is known. A venue that takes no orders for a while does not count: such
 * a pause ends, while a refund and a close put off until settlement are for good.
 */
export function isTradable(
  market: Pick<MarketRecord, 'status' | 'payoutDenominator'>,
  listed: Pick<VenueMarket, 'isClosed' | 'resolutionStatus'>,
): boolean {
  const isOpen = market.status === 'active' && !listed.isClosed;
  return isOpen && listed.resolutionStatus === 'none' && market.payoutDenominator === null;
}

function liveOrderOf({ chain, intents }: Looked): PositionObservation['liveOrder'] {
  const order = chain.liveOrder;
  if (order === null || order.purpose === 'none') {
    return null;
  }
  const post = postOf(intents, order.orderHash);
  return {
    purpose: order.purpose,
    validUntilMs: order.validUntilMs,
    isTerminalAtVenue: post !== null && (post.state === 'dropped' || post.state === 'final'),
    filledUsdcUnits: filledOf(chain, order),
  };
}

/** Believed only as far as tokens are there: a status without tokens is a match that was reverted. */
function filledOf(chain: ChainPosition, order: NonNullable<ChainPosition['liveOrder']>): UsdcUnits {
  const hasTokens = chain.heldTokenUnits > 0n;
  return usdcUnits(order.purpose === 'open' && hasTokens ? order.filledMakerAmount : 0n);
}

/** The intent that sent an order to the venue. */
export function postOf(intents: readonly IntentRecord[], orderHash: string): IntentRecord | null {
  return intents.find(({ operation, orderHash: hash }) => operation.startsWith('post_') && hash === orderHash) ?? null;
}

/** Attempts since the last one that brought something: a close may be asked for again and again. */
function attemptsOf({ intents }: Looked, operation: string) {
  const attempts = intents.filter((intent) => intent.operation === operation);
  const last = attempts.at(-1);
  return { attemptCount: attempts.length, lastAttemptAtMs: last === undefined ? null : decidedAtMsOf(last) };
}

/** Chain time of the decision behind an intent: retry delays are counted on one clock. */
export function decidedAtMsOf(intent: IntentRecord): number {
  const { plan } = intent;
  const details = typeof plan === 'object' && plan !== null && 'details' in plan ? plan.details : null;
  return typeof details === 'object' && details !== null && 'decidedAtMs' in details
    ? Number(details.decidedAtMs)
    : intent.createdAtMs;
}
