import { type BookClaims, decideFill } from '@core/policy';
import { add, min, subtract, tokenUnits, type UsdcUnits } from '@core/pricing';
import type { Hex } from 'viem';
import type { HeldTokens } from '../chain/fillerAccount.ts';
import { type Head, type LiveGrant, secondOf } from '../chain/vaultGrants.ts';
import { booksOfToken, type MarketBooksNow } from '../venue/marketBooks.ts';
import type { FillerParts } from './fillerParts.ts';
import type { FillTask } from './fillGrant.ts';
import type { Reservation } from './float.ts';
import { MarketClaims } from './marketClaims.ts';

/** Market at one moment, with the tokens that the account holds. */
export interface ObservedMarket {
  readonly books: MarketBooksNow;
  readonly held: HeldTokens;
}

/** Everything that the grants of one moment are decided with. */
export interface FillRound {
  readonly head: Head;
  /** Balance of the account. */
  readonly usdc: UsdcUnits;
  /** Markets of the grants; null where one cannot be read. */
  readonly markets: ReadonlyMap<Hex, ObservedMarket | null>;
  /** Levels that fills in progress use. */
  readonly claims: MarketClaims;
  /** Return true in a market that is closed to openings. */
  readonly isDoubted: (grant: LiveGrant) => boolean;
}

/** Chosen fill, with what it binds in the float. */
export interface ReservedFill extends FillTask {
  readonly reservation: Reservation;
}

type ChoosingParts = Pick<FillerParts, 'float' | 'terms' | 'metrics' | 'logger'>;

/** Purposes in the order in which grants are decided. */
const urgencies: readonly LiveGrant['purpose'][] = ['liquidate', 'unwind', 'close', 'open'];

const inUrgency = (left: LiveGrant, right: LiveGrant): number =>
  urgencies.indexOf(left.purpose) - urgencies.indexOf(right.purpose) || left.startsAtSeconds - right.startsAtSeconds;

/**
 * Decide grants together, the most urgent first. Each chosen fill takes its levels of the books and its part of the
 * float from those after it. A sale that waits for the second at which its bids cover it takes them in this round: the
 * same bids cover later sales of its batch sooner, whose limits are lower. A failure is its grant's own: it is logged
 * and counted, and the others are decided.
 */
export function chooseFills(
  parts: ChoosingParts,
  grants: readonly LiveGrant[],
  round: FillRound,
): readonly ReservedFill[] {
  const { metrics, logger } = parts;
  const waiting = new MarketClaims();
  return grants.toSorted(inUrgency).flatMap((grant) => {
    try {
      return chooseFill(parts, grant, { ...round, waiting }) ?? [];
    } catch (err) {
      metrics.decisions.inc({ result: 'failed' });
      logger.error({ err, positionKey: grant.positionKey }, 'grant cannot be considered');
      return [];
    }
  });
}

function chooseFill(
  { float, terms, metrics }: ChoosingParts,
  live: LiveGrant,
  { head, usdc, markets, claims, waiting, isDoubted }: FillRound & { readonly waiting: MarketClaims },
): ReservedFill | null {
  const observed = markets.get(live.conditionId) ?? null;
  if (observed === null || (live.purpose === 'open' && isDoubted(live))) {
    metrics.decisions.inc({ result: observed === null ? 'no_book' : 'doubted' });
    return null;
  }
  const { market } = observed.books;
  const { yesTokenUnits, noTokenUnits } = observed.held;
  const isYes = live.tokenId === market.yesTokenId;
  if (!isYes && live.tokenId !== market.noTokenId) return null;
  const books = booksOfToken(observed.books, live.tokenId);
  // Tokens of a pair are worth their USDC: they are merged, and made again where a pair is the way.
  const single = subtract(isYes ? yesTokenUnits : noTokenUnits, min(yesTokenUnits, noTokenUnits));
  const chosen = decideFill({
    grant: live.grant,
    elapsedSeconds: secondOf(live, head),
    lastSecond: live.endsAtSeconds - live.startsAtSeconds,
    markPricePips: live.markPricePips,
    books,
    claims: sumOf(claims.of(live.conditionId, isYes), waiting.of(live.conditionId, isYes)),
    means: {
      usdcUnits: float.freeUsdcOf(usdc),
      tokenUnits: float.freeTokensOf(live.tokenId, single),
      canRest: terms.restMs > 0,
    },
    terms,
  });
  metrics.decisions.inc({ result: chosen.kind === 'leave' ? chosen.reason : chosen.kind });
  if (chosen.kind === 'wait' && chosen.later !== null && live.purpose !== 'open') {
    waiting.add({ live, market, chosen: chosen.later.chosen });
  }
  if (chosen.kind !== 'fill') return null;
  const reservation: Reservation = {
    usdcUnits: chosen.floatUsdcUnits,
    tokenId: live.tokenId,
    tokenUnits: chosen.way === 'stock' ? chosen.fill.tokenUnits : tokenUnits(0n),
  };
  const task = { live, chosen, books, market, reservation };
  float.reserve(reservation);
  claims.add(task);
  return task;
}

const sumOf = (one: BookClaims, other: BookClaims): BookClaims => {
  return { token: add(one.token, other.token), complement: add(one.complement, other.complement) };
};

/** Fills of one transaction: the gas of so many is within what a transaction may use. */
const maximumTogether = 32;

/**
 * Return fills in the groups that one transaction carries, each in its order: sales of one token that are paid from
 * the float together, and every other fill alone.
 */
export function groupsOf<Task extends FillTask>(tasks: readonly Task[]): readonly (readonly [Task, ...Task[]])[] {
  const groups: [Task, ...Task[]][] = [];
  for (const task of tasks) {
    const group = groups.find(
      (one) =>
        task.chosen.way === 'resell' &&
        one[0].chosen.way === 'resell' &&
        one[0].live.tokenId === task.live.tokenId &&
        one.length < maximumTogether,
    );
    if (group === undefined) groups.push([task]);
    else group.push(task);
  }
  return groups;
}
