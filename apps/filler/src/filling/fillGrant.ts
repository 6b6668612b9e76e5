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
import { grantIdOf, type LiveGrant, secondOf } from '../chain/vaultGrants.ts';
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
 * `not_bought`: the venue did not sell the tokens. `refused`: the vault quotes no such fill.
 */
export type FillOutcome = 'filled' | 'lost' | 'not_bought' | 'refused';

const retryMs = 200;
/** Refusals of the last block that its successor may not make: the price moves with each second. */
const refusalsOfTime: ReadonlySet<string> = new Set(['GrantPriceTooPoor', 'GrantPartTooSmall']);

/**
 * Fill a grant: get the tokens of a purchase where the call does not make them, then call the vault. What remains of
 * tokens, after a lost race as after a sale, is sold by `sellHeld`. Every effect is in the journal first, so that
 * nothing here needs to survive a crash.
 *
 * @throws Fault when chain or venue do not answer; the caller decides again from the balances.
 */
export function fillGrant(parts: FillerParts, task: FillTask): Promise<FillOutcome> {
  const { live, chosen } = task;
  const facts = { way: chosen.way, side: live.grant.side };
  return inPositionSpan(live.positionKey, { name: 'fill grant', facts }, async () => {
    const outcome = await takeGrant(parts, task);
    noteOnSpan({ outcome });
    return outcome;
  });
}

async function takeGrant(parts: FillerParts, task: FillTask): Promise<FillOutcome> {
  if (task.chosen.way === 'buy') {
    if (!(await parts.grants.isFillable(task.live.positionKey))) return 'refused';
    if (!(await buy(parts, task))) return 'not_bought';
  }
  return deliver(parts, task);
}

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

/** Call the vault as soon as the next block would take the fill, until one does or the grant is over. */
async function deliver(parts: FillerParts, { live, chosen, market }: FillTask): Promise<FillOutcome> {
  const { grants, account, sender, journal, metrics } = parts;
  for (let attempt = 1; ; attempt += 1) {
    const head = await grants.head();
    const now = await grants.again(live, head);
    if (now === null) return 'lost';
    const second = secondOf(now, head);
    if (second > now.endsAtSeconds - now.startsAtSeconds) return 'lost';
    const maxima = await maximaOf(parts, live, chosen);
    if (isAcceptedAt(now.grant, second, maxima)) {
      journal.noteMarket(market);
      const id = `fill:${grantIdOf(live)}:${attempt}`;
      const call = account.callOf({ live, way: chosen.way, market, maxima });
      const outcome = await sender.send({ id, purpose: 'fill', ...call, sentDespite: refusalsOfTime });
      if (outcome.kind === 'included') {
        const path = now.grant.validForSeconds / Number(grantPathDivisor);
        metrics.pathShare.observe({ purpose: live.purpose }, Math.min(1, second / path));
        return 'filled';
      }
      metrics.refusedFills.inc({ reason: outcome.kind === 'refused' ? outcome.revert : 'reverted' });
    }
    await delay(retryMs);
  }
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
