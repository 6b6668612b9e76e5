import { setTimeout as delay } from 'node:timers/promises';
import { type ChosenFill, type FillBooks, isAcceptedAt } from '@core/policy';
import {
  compare,
  type GrantFill,
  grantPathDivisor,
  min,
  multiplyDivide,
  pricePips,
  raw,
  subtract,
  toTick,
  walkAsksByTokens,
} from '@core/pricing';
import { inPositionSpan, noteOnSpan } from '@core/tracing';
import type { Hex } from 'viem';
import { grantIdOf, type Head, type LiveGrant, secondOf } from '../chain/vaultGrants.ts';
import type { FillerMarket } from '../venue/marketBooks.ts';
import type { FillerParts } from './fillerParts.ts';

/** Grant with the fill that was chosen for it. */
export interface FillTask {
  readonly live: LiveGrant;
  readonly chosen: ChosenFill;
  readonly books: FillBooks;
  readonly market: FillerMarket;
}

/**
 * End of a task. `filled`: the vault took the fill. `lost`: the grant ended or another filler took it first.
 * `not_bought`: the venue did not sell the tokens. `refused`: the vault takes no such fill now.
 */
export type FillOutcome = 'filled' | 'lost' | 'not_bought' | 'refused';

/** Tasks that one transaction carries: one of any way, or several sales of one token. */
export type FillGroup = readonly [FillTask, ...FillTask[]];

/** Ends of tasks by the position of their grant. */
export type FillOutcomes = ReadonlyMap<Hex, FillOutcome>;

/** Task whose fill the next block takes. */
interface ReadyFill extends FillTask {
  readonly maxima: GrantFill;
  /** Share of the price path that has passed, 0 to 1. */
  readonly pathShare: number;
}

const retryMs = 200;
/**
 * Refusals of the last block that its successor may not make: the price moves with each second. Several fills are
 * refused together when each of them is, and each was quoted before.
 */
const refusalsOfTime: ReadonlySet<string> = new Set(['GrantPriceTooPoor', 'GrantPartTooSmall', 'NothingDone']);

/**
 * Fill grants: get the tokens of a purchase where the call does not make them, then call the vault. What remains of
 * tokens, after a lost race as after a sale, is sold by `sellHeld`. Every effect is in the journal first, so that
 * nothing here needs to survive a crash. A grant of several that the vault leaves out has an end like the others; the
 * caller decides about it again.
 *
 * @throws Fault when chain or venue do not answer; the caller decides again from the balances.
 */
export async function fillGrants(parts: FillerParts, group: FillGroup): Promise<FillOutcomes> {
  const outcomes = takeGrants(parts, group);
  const ends = group.map(async ({ live: { positionKey, grant }, chosen }) => {
    const facts = { way: chosen.way, side: grant.side, count: group.length };
    return inPositionSpan(positionKey, { name: 'fill grant', facts }, async () => {
      const outcome = (await outcomes).get(positionKey) ?? 'refused';
      noteOnSpan({ outcome });
      return [positionKey, outcome] as const;
    });
  });
  return new Map(await Promise.all(ends));
}

async function takeGrants(parts: FillerParts, group: FillGroup): Promise<FillOutcomes> {
  const [first] = group;
  if (first.chosen.way === 'buy') {
    if (!(await parts.grants.isFillable(first.live.positionKey))) return endsOf(group, 'refused');
    if (!(await buy(parts, first))) return endsOf(group, 'not_bought');
  }
  return deliver(parts, group);
}

const endsOf = (tasks: readonly FillTask[], outcome: FillOutcome): FillOutcomes =>
  new Map(tasks.map(({ live }) => [live.positionKey, outcome]));

/** Buy the tokens at the asks that the decision saw, and wait until they are on chain. */
async function buy(parts: FillerParts, { live, chosen, books, market }: FillTask): Promise<boolean> {
  const { account, trader, journal } = parts;
  const { tokenUnits } = chosen.fill;
  const before = await account.tokensOf(live.tokenId);
  const walk = walkAsksByTokens({ asks: books.token.asks, tokenUnits, limitPricePips: pricePips(10_000n) });
  const { worstPricePips: worst } = walk;
  if (worst === null || raw(walk.restTokenUnits) > 0n) return false;
  journal.noteMarket(market);
  const outcome = await trader.buy({
    conditionId: live.conditionId,
    tokenId: live.tokenId,
    tokenUnits,
    pricePips: toTick(worst, market.tickPricePips, 'up'),
    tickPricePips: market.tickPricePips,
  });
  const bought = subtract(await account.tokensOf(live.tokenId), before);
  return outcome.kind === 'over' && compare(bought, tokenUnits) >= 0;
}

/**
 * Call the vault as soon as the next block would take a fill, until it takes one or every grant is over. The first call
 * that is included ends all of them: tokens that wait to be sold are a risk.
 */
async function deliver(parts: FillerParts, group: FillGroup): Promise<FillOutcomes> {
  const ends = new Map<Hex, FillOutcome>();
  for (let attempt = 1; ; attempt += 1) {
    const head = await parts.grants.head();
    const open = group.filter(({ live }) => !ends.has(live.positionKey));
    const states = await Promise.all(open.map((task) => observe(parts, task, { head, isAlone: group.length === 1 })));
    for (const [index, { live }] of open.entries()) if (states[index] === 'over') ends.set(live.positionKey, 'lost');
    if (ends.size === group.length) return ends;
    const ready = states.filter((state) => typeof state === 'object');
    const [first, ...others] = ready;
    const newEnds = first === undefined ? null : await send(parts, [first, ...others], attempt);
    if (newEnds !== null) return new Map([...endsOf(group, 'refused'), ...ends, ...newEnds]);
    await delay(retryMs);
  }
}

/** Read a grant again and return its fill where the next block takes it. One of several is quoted besides. */
async function observe(
  parts: FillerParts,
  task: FillTask,
  { head, isAlone }: { readonly head: Head; readonly isAlone: boolean },
): Promise<ReadyFill | 'early' | 'over'> {
  const { live, chosen } = task;
  const [now, isFillable] = await Promise.all([
    parts.grants.again(live, head),
    isAlone || parts.grants.isFillable(live.positionKey),
  ]);
  if (now === null) return 'over';
  const second = secondOf(now, head);
  if (second > now.endsAtSeconds - now.startsAtSeconds) return 'over';
  const maxima = await maximaOf(parts, live, chosen);
  if (!isFillable || !isAcceptedAt(now.grant, second, maxima)) return 'early';
  const pathSeconds = now.grant.validForSeconds / Number(grantPathDivisor);
  return { ...task, maxima, pathShare: Math.min(1, second / pathSeconds) };
}

/** Send fills in one transaction. Return those that the vault took; null when it took none. */
async function send(
  { account, sender, journal, metrics }: FillerParts,
  fills: readonly [ReadyFill, ...ReadyFill[]],
  attempt: number,
): Promise<FillOutcomes | null> {
  const [first] = fills;
  journal.noteMarket(first.market);
  const id = `fill:${grantIdOf(first.live)}:${attempt}`;
  const call = fills.length === 1 ? account.callOf(first) : account.callOfMany(fills);
  const outcome = await sender.send({ id, purpose: 'fill', ...call, sentDespite: refusalsOfTime });
  if (outcome.kind !== 'included') {
    metrics.refusedFills.inc({ reason: outcome.kind === 'refused' ? outcome.revert : 'reverted' });
    return null;
  }
  const filledKeys = account.filledIn(outcome.receipt);
  const ownFills = fills.filter(({ live }) => filledKeys.has(live.positionKey));
  for (const { live, pathShare } of ownFills) metrics.pathShare.observe({ purpose: live.purpose }, pathShare);
  for (const fill of fills) if (!ownFills.includes(fill)) metrics.refusedFills.inc({ reason: 'left_out' });
  return endsOf(ownFills, 'filled');
}

/** Return the maxima of a fill, at its own price: of tokens that are delivered from the account, those it has. */
async function maximaOf(
  { account }: FillerParts,
  { grant, tokenId }: LiveGrant,
  { way, fill }: ChosenFill,
): Promise<GrantFill> {
  if (grant.side === 'sale' || way === 'pair') return fill;
  const owned = min(fill.tokenUnits, await account.tokensOf(tokenId));
  return { tokenUnits: owned, usdcUnits: multiplyDivide(fill.usdcUnits, raw(owned), raw(fill.tokenUnits), 'down') };
}
