import {
  type BookLevel,
  max,
  min,
  type PricePips,
  pricePips,
  raw,
  type TokenUnits,
  type VenueFeeSchedule,
  walkAsksByTokens,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { fillerCostPipsOf } from '../fill/fillerCost.ts';
import { openingEdgePipsOf } from '../fill/grantBand.ts';

export interface BuyLimitInputs {
  /** Best first. */
  readonly asks: readonly BookLevel[];
  readonly tokenUnits: TokenUnits;
  readonly markPricePips: PricePips;
  readonly venueFee: VenueFeeSchedule;
  readonly tickPricePips: PricePips;
  readonly config: PolicyConfig;
}

/** The venue rounds the shares of a purchase down: its amounts imply up to a pip more than the price of its tick. */
const roundingPips = 1n;

/**
 * Return the limit of an opening by order: the average price of buying the tokens plus one tick, or the last ask used
 * when that is higher. A pip is added for the rounding of its amounts, so that the whole size can match. The limit is
 * at most mark × (1 + slip), rounded down. Null when the asks lack the size at or below that.
 */
export function orderBuyLimitOf(inputs: BuyLimitInputs): PricePips | null {
  const { asks, tokenUnits, markPricePips, tickPricePips, config } = inputs;
  const highest = highestLimitOf(markPricePips, tickPricePips, config);
  const walk = walkAsksByTokens({ asks, tokenUnits, limitPricePips: highest });
  const { worstPricePips } = walk;
  if (raw(walk.restTokenUnits) > 0n || worstPricePips === null) return null;
  const average = (walk.exactUsdcUnitsE4 + raw(tokenUnits) - 1n) / raw(tokenUnits);
  const limit = raw(max(worstPricePips, pricePips(average + raw(tickPricePips))));
  return min(highest, pricePips(limit + roundingPips));
}

/** mark × (1 + slip), rounded down, and at least one tick below one USD. */
function highestLimitOf(mark: PricePips, tick: PricePips, config: PolicyConfig): PricePips {
  const bound = (raw(mark) * (10_000n + raw(config.model.slipBps))) / 10_000n;
  return min(pricePips(bound), pricePips(10_000n - raw(tick)));
}

/**
 * Return the limit of an opening grant: the average plus a filler's cost and one tick, fee apart, at most the edge of
 * the vault's bands. It is null where average and cost are beyond that: at the end of its path it is the price.
 */
export function grantBuyLimitOf(inputs: BuyLimitInputs): PricePips | null {
  const { asks, tokenUnits, tickPricePips, config, ...marked } = inputs;
  const walk = walkAsksByTokens({ asks, tokenUnits, limitPricePips: pricePips(10_000n) });
  if (raw(walk.restTokenUnits) > 0n || raw(tokenUnits) === 0n) return null;
  const averagePips = (walk.exactUsdcUnitsE4 + raw(tokenUnits) - 1n) / raw(tokenUnits);
  const covered = averagePips + fillerCostPipsOf({ averagePips, tokenUnits }, config.grant.fillerCost);
  const edge = openingEdgePipsOf(marked, config.grant);
  return covered > edge ? null : min(pricePips(covered + raw(tickPricePips)), pricePips(edge));
}
