import { leverageBps, pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import { blankOf, type Position, positionFields } from '../src/index.ts';

/** Consistent records for tests. Every instant is derived from `sampleNowMs`, every hash from a number. */
export const sampleNowMs = Date.UTC(2026, 10, 21, 12);

export function hashOf(number: number): `0x${string}` {
  // Spread over all bytes, so that ids made from the leading ones differ.
  const spread = BigInt(number + 1) * 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95n;
  return `0x${(spread % 2n ** 256n).toString(16).padStart(64, '0')}`;
}

export function walletOf(number: number): `0x${string}` {
  return `0x${(number + 1).toString(16).padStart(40, '0')}`;
}

/** 20 USDC of collateral at 5x: 200 tokens bought for 100 USDC. */
export function samplePosition(number: number, changes: Partial<Position> = {}): Position {
  return {
    ...blankOf(positionFields),
    id: `pos_${number.toString().padStart(26, '0')}`,
    positionKey: hashOf(number),
    accountAddress: walletOf(1_000 + number),
    partnerId: 'ptn_1',
    quoteId: 'off_1',
    walletAddress: walletOf(0),
    marketId: 'mkt_1',
    side: 'yes',
    venueMarketId: hashOf(10_001),
    venueTokenId: '11',
    riskMode: 'adaptive',
    chainState: 'open',
    status: 'open',
    quotedCollateralUsdcUnits: usdcUnits(20_000_000n),
    quotedNotionalUsdcUnits: usdcUnits(100_000_000n),
    quotedOriginationFeeUsdcUnits: usdcUnits(1_000_000n),
    quotedVenueFeeUsdcUnits: usdcUnits(3_500_000n),
    quotedTokenUnits: tokenUnits(200_000_000n),
    entryPricePips: pricePips(5_000n),
    leverageBps: leverageBps(50_000n),
    originationFeeBps: rateBps(100n),
    protocolOriginationFeeBps: rateBps(100n),
    lifetimeFeeAprBps: rateBps(1_000n),
    liquidationFeeBps: rateBps(100n),
    exitBufferBps: rateBps(800n),
    slippageBps: rateBps(500n),
    minPositionTokenUnits: tokenUnits(190_000_000n),
    maxLiquidationPricePips: pricePips(4_600n),
    contractMinFillBps: rateBps(10_000n),
    spentUsdcUnits: usdcUnits(100_000_000n),
    openedTokenUnits: tokenUnits(200_000_000n),
    openedMarkPricePips: pricePips(4_950n),
    tokenUnits: tokenUnits(200_000_000n),
    principalUsdcUnits: usdcUnits(80_000_000n),
    collateralUsdcUnits: usdcUnits(20_000_000n),
    originationFeeUsdcUnits: usdcUnits(1_000_000n),
    openVenueFeeUsdcUnits: usdcUnits(3_400_000n),
    structuralLeverageBps: leverageBps(50_000n),
    totalOriginationFeeUsdcUnits: usdcUnits(1_000_000n),
    totalOpenVenueFeeUsdcUnits: usdcUnits(3_400_000n),
    refundedUsdcUnits: usdcUnits(100_000n),
    createdAtMs: sampleNowMs,
    openedAtMs: sampleNowMs + 4_000,
    principalChangedAtMs: sampleNowMs + 4_000,
    leverageChangedAtMs: sampleNowMs + 4_000,
    updatedBlockNumber: 7n,
    ...changes,
  };
}
