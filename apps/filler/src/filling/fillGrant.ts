import { setTimeout as delay } from 'node:timers/promises';
import {
  bestGrantFillOf,
  clipGrantFill,
  compare,
  type GrantFill,
  grantFillRefusalOf,
  grantUsdcOf,
  max,
  min,
  multiplyDivide,
  raw,
  subtract,
  type TokenUnits,
  toTick,
  type UsdcUnits,
} from '@core/pricing';
import { inPositionSpan, noteOnSpan } from '@core/tracing';
import { grantIdOf, type LiveGrant } from '../chain/vaultGrants.ts';
import { type ChosenFill, minimumProfitOf } from '../decision/decideFill.ts';
import type { FillBooks } from '../decision/fillWays.ts';
import type { FillerMarket } from '../venue/marketBooks.ts';
import type { FillerParts } from './fillerParts.ts';

/** Grant with the fill that was chosen for it. */
export interface FillTask {
  readonly live: LiveGrant;
  readonly chosen: ChosenFill;
  /** Tokens to have for a purchase: a little more than the fill trades now. */
  readonly tokenUnits: TokenUnits;
  readonly books: FillBooks;
  readonly market: FillerMarket;
}

/**
 * End of a task. `filled`: the vault took the fill. `lost`: the grant ended or another filler took it first.
 * `not_bought`: the venue did not sell the tokens. `refused`: the vault quotes no such fill.
 */
export type FillOutcome = 'filled' | 'lost' | 'not_bought' | 'refused';

const retryMs = 200;

/**
 * Fill a grant: get the tokens of a purchase, then call the vault. What remains of tokens, after a lost race as after
 * a sale, is sold by `sellHeld`. Every effect is in the journal first, so that nothing here needs to survive a crash.
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
  const { live, chosen } = task;
  const { giveUnits, takeUnits } = await parts.grants.quote(live.positionKey, giveOf(live, chosen.fill));
  const quoted = live.grant.side === 'purchase' ? takeUnits : giveUnits;
  if (quoted === 0n) return 'refused';
  if (chosen.way === 'pair' && !(await split(parts, task))) return 'refused';
  if (chosen.way === 'buy' && !(await buy(parts, task))) return 'not_bought';
  return deliver(parts, task);
}

const giveOf = ({ grant }: LiveGrant, fill: GrantFill): bigint =>
  grant.side === 'purchase' ? raw(fill.tokenUnits) : raw(fill.usdcUnits);

async function split(
  { account, sender, journal }: FillerParts,
  { live, tokenUnits, market }: FillTask,
): Promise<boolean> {
  journal.noteMarket(market);
  const call = account.split(market, tokenUnits);
  const outcome = await sender.send({ id: `split:${grantIdOf(live)}`, purpose: 'split', ...call });
  return outcome.kind === 'included';
}

/** Buy the tokens at the asks that the decision saw, and wait until they are on chain. */
async function buy(parts: FillerParts, { live, chosen, tokenUnits, books, market }: FillTask): Promise<boolean> {
  const { account, trader, journal } = parts;
  const before = await account.tokensOf(live.tokenId);
  const worst = worstPriceOf(books, tokenUnits);
  if (worst === null) return false;
  journal.noteMarket(market);
  const outcome = await trader.buy({
    conditionId: live.conditionId,
    tokenId: live.tokenId,
    tokenUnits,
    pricePips: toTick(worst, market.tickPricePips, 'up'),
    tickPricePips: market.tickPricePips,
  });
  const bought = subtract(await account.tokensOf(live.tokenId), before);
  return outcome.kind === 'over' && compare(bought, chosen.fill.tokenUnits) >= 0;
}

/** Return the price of the last ask that a purchase reaches. */
function worstPriceOf({ token }: FillBooks, tokens: TokenUnits) {
  let rest = raw(tokens);
  for (const { pricePips, sizeTokenUnits } of token.asks) {
    rest -= raw(sizeTokenUnits);
    if (rest <= 0n) return pricePips;
  }
  return null;
}

/** Call the vault with the price of the last block until it takes the fill or the grant is over. */
async function deliver(parts: FillerParts, { live, chosen, tokenUnits, market }: FillTask): Promise<FillOutcome> {
  const { grants, account, sender, journal, metrics } = parts;
  for (let attempt = 1; ; attempt += 1) {
    const head = await grants.head();
    const now = await grants.again(live, head);
    if (now === null) return 'lost';
    const elapsedSeconds = Math.max(0, head.timeSeconds - now.startsAtSeconds);
    const fill = await presentFillOf(parts, { live: now, chosen, tokenUnits, elapsedSeconds });
    if (fill !== null) {
      journal.noteMarket(market);
      const [give, take] =
        now.grant.side === 'purchase'
          ? [raw(fill.tokenUnits), raw(fill.usdcUnits)]
          : [raw(fill.usdcUnits), raw(fill.tokenUnits)];
      const id = `fill:${grantIdOf(live)}:${attempt}`;
      const outcome = await sender.send({ id, purpose: 'fill', ...account.fill(live.positionKey, give, take) });
      if (outcome.kind === 'included') {
        metrics.pathShare.observe({ purpose: live.purpose }, elapsedSeconds / now.grant.validForSeconds);
        return 'filled';
      }
      metrics.refusedFills.inc({ reason: outcome.kind === 'refused' ? outcome.revert : 'reverted' });
    }
    await delay(retryMs);
  }
}

/**
 * Return the maxima of a fill at the price now, if it still covers its cost and the margin. The maxima of a purchase
 * are all tokens for it at that price: the vault clips them to what is left in the second of the block.
 */
async function presentFillOf(
  { account, terms }: FillerParts,
  {
    live: { grant, tokenId },
    chosen,
    tokenUnits,
    elapsedSeconds,
  }: Pick<FillTask, 'live' | 'chosen' | 'tokenUnits'> & { readonly elapsedSeconds: number },
): Promise<GrantFill | null> {
  const tokens = grant.side === 'purchase' ? min(tokenUnits, await account.tokensOf(tokenId)) : tokenUnits;
  const maxima: GrantFill =
    grant.side === 'purchase'
      ? { tokenUnits: tokens, usdcUnits: grantUsdcOf(grant, elapsedSeconds, tokens) }
      : bestGrantFillOf(grant, elapsedSeconds, chosen.fill);
  const fill = clipGrantFill(grant, elapsedSeconds, maxima);
  if (raw(fill.tokenUnits) === 0n || grantFillRefusalOf(grant, elapsedSeconds, fill) !== null) return null;
  const share = (worth: UsdcUnits, rounding: 'up' | 'down'): UsdcUnits =>
    multiplyDivide(worth, raw(fill.tokenUnits), raw(max(chosen.fill.tokenUnits, fill.tokenUnits)), rounding);
  const profit =
    grant.side === 'purchase'
      ? subtract(fill.usdcUnits, share(chosen.worthUsdcUnits, 'up'))
      : subtract(share(chosen.worthUsdcUnits, 'down'), fill.usdcUnits);
  return compare(profit, minimumProfitOf(terms, fill)) >= 0 ? maxima : null;
}
