import { rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import type { SeededRandom } from '@core/pricing/testing/seededRandom.ts';
import { anySize, list, type Vectors } from '@core/pricing/testing/vectors.ts';
import { partialCloseShareOf } from '../src/index.ts';
import { openingSplitOf, waterfallOf } from './settlement.ts';

/** Fills and fees from honest to absurd: whatever an exchange says, the cash decides. */
function openingSplit(random: SeededRandom) {
  const { collateralUsdcUnits, notionalUsdcUnits, borrowUsdcUnits } = anySize(random);
  const venueFee = random.between(0n, notionalUsdcUnits / 10n);
  const origination = (notionalUsdcUnits * random.between(0n, 500n)) / 10_000n;
  const isHonest = random.between(0n, 3n) > 0n;
  const fill = isHonest ? random.between(0n, notionalUsdcUnits) : random.sized(40n);
  const budget = collateralUsdcUnits + venueFee + borrowUsdcUnits + origination;
  const paidFee = random.between(0n, venueFee);
  const remainder = budget - fill - paidFee;
  const cash = isHonest && remainder > 0n ? remainder : random.sized(40n);
  const row = {
    collateralUsdcUnits,
    notionalUsdcUnits,
    lentUsdcUnits: borrowUsdcUnits,
    venueFeeUsdcUnits: venueFee,
    originationFeeUsdcUnits: origination,
    filledUsdcUnits: fill,
    cashUsdcUnits: cash,
    tokenUnits: random.sized(40n) + 1n,
  };
  const split = openingSplitOf({
    collateralUsdcUnits: usdcUnits(row.collateralUsdcUnits),
    notionalUsdcUnits: usdcUnits(row.notionalUsdcUnits),
    lentUsdcUnits: usdcUnits(row.lentUsdcUnits),
    venueFeeUsdcUnits: usdcUnits(row.venueFeeUsdcUnits),
    originationFeeUsdcUnits: usdcUnits(row.originationFeeUsdcUnits),
    filledUsdcUnits: usdcUnits(row.filledUsdcUnits),
    cashUsdcUnits: usdcUnits(row.cashUsdcUnits),
    tokenUnits: tokenUnits(row.tokenUnits),
  });
  return {
    ...row,
    spentUsdcUnits: raw(split.spentUsdcUnits),
    tradeUsdcUnits: raw(split.tradeUsdcUnits),
    principalUsdcUnits: raw(split.principalUsdcUnits),
    poolRefundUsdcUnits: raw(split.poolRefundUsdcUnits),
    originationFeeKeptUsdcUnits: raw(split.originationFeeUsdcUnits),
    userRefundUsdcUnits: raw(split.userRefundUsdcUnits),
  };
}

function waterfall(random: SeededRandom) {
  const row = {
    proceedsUsdcUnits: random.sized(44n),
    principalDueUsdcUnits: random.sized(44n),
    lifetimeFeeDueUsdcUnits: random.sized(30n),
    liquidationFeeBps: random.between(0n, 1n) * random.between(0n, 1_000n),
  };
  const paid = waterfallOf({
    proceedsUsdcUnits: usdcUnits(row.proceedsUsdcUnits),
    principalDueUsdcUnits: usdcUnits(row.principalDueUsdcUnits),
    lifetimeFeeDueUsdcUnits: usdcUnits(row.lifetimeFeeDueUsdcUnits),
    liquidationFeeBps: rateBps(row.liquidationFeeBps),
  });
  return {
    ...row,
    principalPaidUsdcUnits: raw(paid.principalPaidUsdcUnits),
    lifetimeFeePaidUsdcUnits: raw(paid.lifetimeFeePaidUsdcUnits),
    liquidationFeePaidUsdcUnits: raw(paid.liquidationFeePaidUsdcUnits),
    userPaidUsdcUnits: raw(paid.userPaidUsdcUnits),
  };
}

function partialCloseShare(random: SeededRandom) {
  const amount = random.sized(48n);
  const tokens = random.sized(48n) + 1n;
  const sold = random.between(0n, tokens);
  const share = partialCloseShareOf({
    amountUsdcUnits: usdcUnits(amount),
    soldTokenUnits: tokenUnits(sold),
    heldTokenUnits: tokenUnits(tokens),
  });
  return { amountUsdcUnits: amount, soldTokenUnits: sold, heldTokenUnits: tokens, shareUsdcUnits: raw(share) };
}

/** Every golden vector of the vault's money. Deterministic: regenerating changes nothing unless a formula did. */
export function buildVectors(): Vectors {
  return {
    openingSplit: list(5n, openingSplit),
    waterfall: list(6n, waterfall),
    partialCloseShare: list(7n, partialCloseShare),
  };
}
