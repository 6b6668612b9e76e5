import {
  type BookLevel,
  max,
  min,
  type PricePips,
  pricePips,
  raw,
  type TokenUnits,
  walkAsksByTokens,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';

export interface BuyLimitInputs {
  /** Best first. */
  readonly asks: readonly BookLevel[];
  readonly tokenUnits: TokenUnits;
  readonly markPricePips: PricePips;
  readonly tickPricePips: PricePips;
  readonly config: PolicyConfig;
}

/**
 * Limit of an opening: the average price of buying the tokens plus one tick, or the last ask used when that is
 * higher, so that the whole size can match; at most mark × (1 + slip), rounded down. Null when the asks do not hold the
 * size at or below that.
 */
export function buyLimitOf({
  asks,
  tokenUnits,
  markPricePips,
  tickPricePips,
  config,
}: BuyLimitInputs): PricePips | null {
  const highest = highestLimitOf(markPricePips, tickPricePips, config);
  const walk = walkAsksByTokens({ asks, tokenUnits, limitPricePips: highest });
  const { worstPricePips } = walk;
  if (raw(walk.restTokenUnits) > 0n || worstPricePips === null) return null;
  const average = (walk.exactUsdcUnitsE4 + raw(tokenUnits) - 1n) / raw(tokenUnits);
  return min(highest, max(worstPricePips, pricePips(average + raw(tickPricePips))));
}

/** mark × (1 + slip), rounded down, and at least one tick below one USD. */
function highestLimitOf(mark: PricePips, tick: PricePips, config: PolicyConfig): PricePips {
  const bound = (raw(mark) * (10_000n + raw(config.model.slipBps))) / 10_000n;
  return min(pricePips(bound), pricePips(10_000n - raw(tick)));
}
