import { leverageBps, pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import {
  type FoldContext,
  foldPosition,
  type LivePurpose,
  type PositionEvent,
  type PositionEventName,
  type PositionStateName,
} from '../src/index.ts';
import { hashOf, sampleNowMs, walletOf } from './samples.ts';

// One position's events, as the vault would emit them: 20 USDC of collateral at 5x, 200 tokens bought for 100 USDC.

const positionKey = hashOf(1);
const user = walletOf(1);
export const context: FoldContext = {
  positionId: 'pos_1',
  quote: null,
  market: null,
  arePayoutsKnown: false,
  refundReason: null,
  closeDeferredAtMs: null,
  unwindOrders: new Map(),
};
export const usdc = (units: number) => usdcUnits(BigInt(units));
export const tokens = (units: number) => tokenUnits(BigInt(units));
export const nothing = {
  proceedsUsdcUnits: usdc(0),
  principalUsdcUnits: usdc(0),
  lifetimeFeeUsdcUnits: usdc(0),
  liquidationFeeUsdcUnits: usdc(0),
  recoveredUsdcUnits: usdc(0),
  userUsdcUnits: usdc(0),
  badDebtUsdcUnits: usdc(0),
};

export interface EventPart {
  readonly name: PositionEventName;
  readonly args: object;
  readonly sameAsBefore?: boolean;
}

/** Events one block and an hour apart, each in a transaction of its own unless `sameAsBefore` says otherwise. */
export function historyOf(...parts: readonly EventPart[]): readonly PositionEvent[] {
  let blockNumber = 0;
  return parts.map(({ name, args, sameAsBefore }, logIndex) => {
    blockNumber += sameAsBefore === true ? 0 : 1;
    return {
      name,
      args,
      transactionHash: hashOf(1_000 + blockNumber),
      blockNumber: BigInt(blockNumber),
      logIndex,
      blockTimeMs: sampleNowMs + blockNumber * 3_600_000,
    } as PositionEvent;
  });
}

export const created: EventPart = {
  name: 'PositionCreated',
  args: {
    positionKey,
    user,
    account: walletOf(2),
    originationFeeUsdcUnits: usdc(1_000_000),
    request: {
      venueMarketId: hashOf(2),
      venueTokenId: 11n,
      collateralUsdcUnits: usdc(20_000_000),
      leverageBps: leverageBps(50_000n),
      notionalUsdcUnits: usdc(100_000_000),
      originationFeeBps: rateBps(100n),
      lifetimeFeeAprBps: rateBps(1_000n),
      liquidationFeeBps: rateBps(100n),
      venueFeeUsdcUnits: usdc(3_500_000),
      minPositionTokenUnits: tokens(190_000_000),
      maxLiquidationPricePips: pricePips(4_600n),
      minFillBps: rateBps(10_000n),
    },
  },
};
export const authorized = (purpose: LivePurpose): EventPart => ({
  name: 'OrderAuthorized',
  args: {
    orderHash: hashOf(50),
    purpose,
    validUntil: 99n,
    markPips: pricePips(4_950n),
  },
});
export const ended = (purpose: LivePurpose): EventPart => ({
  name: 'OrderEnded',
  args: { purpose, filledMakerAmount: 1n },
});
export const opening: EventPart = {
  name: 'PositionOpened',
  args: {
    tokenUnits: tokens(200_000_000),
    tradeUsdcUnits: usdc(100_000_000),
    spentUsdcUnits: usdc(103_400_000),
    principalUsdcUnits: usdc(80_000_000),
    originationFeeUsdcUnits: usdc(1_000_000),
    refundUsdcUnits: usdc(100_000),
    exitBufferBps: rateBps(800n),
  },
  sameAsBefore: true,
};
export const untilOpen = [created, authorized('open'), ended('open'), opening] as const;
export const reduced = (purpose: LivePurpose, state: PositionStateName, part: object): EventPart => ({
  name: 'PositionReduced',
  args: {
    purpose,
    state,
    soldTokenUnits: tokens(100_000_000),
    tokenUnits: tokens(100_000_000),
    distribution: nothing,
    ...part,
  },
  sameAsBefore: true,
});
export const sale = {
  proceedsUsdcUnits: usdc(50_000_000),
  principalUsdcUnits: usdc(40_000_000),
  lifetimeFeeUsdcUnits: usdc(0),
  userUsdcUnits: usdc(10_000_000),
};
export const positionOf = (...parts: readonly EventPart[]) => foldPosition(historyOf(...parts), context)?.position;
