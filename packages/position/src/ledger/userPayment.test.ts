import { describe, expect, test } from 'vitest';
import {
  authorized,
  context,
  created,
  type EventPart,
  ended,
  historyOf,
  nothing,
  positionOf,
  reduced,
  sale,
  tokens,
  untilOpen,
  usdc,
} from '../../testing/positionHistory.ts';
import { foldPosition } from './foldPosition.ts';

const deferredPart = (units: number, sameAsBefore = true): EventPart => ({
  name: 'PaymentDeferred',
  args: { usdcUnits: usdc(units) },
  sameAsBefore,
});
const claimed = (units: number, sameAsBefore = false): EventPart => ({
  name: 'Claimed',
  args: { userUsdcUnits: usdc(units), recoveredUsdcUnits: usdc(0), tokenUnits: tokens(0) },
  sameAsBefore,
});
const closedFor = (proceeds: number, toUser: number): readonly EventPart[] => [
  authorized('close'),
  ended('close'),
  reduced('close', 'closed', {
    tokenUnits: tokens(0),
    distribution: { ...nothing, proceedsUsdcUnits: usdc(proceeds), userUsdcUnits: usdc(toUser) },
  }),
];
const settledFor = (units: number): EventPart => ({
  name: 'PositionSettled',
  args: { tokenUnits: tokens(1), distribution: { ...nothing, userUsdcUnits: usdc(units) } },
});

describe('a payment that the user cannot receive', () => {
  test.each([
    ['a close', closedFor(99_000_000, 19_000_000)],
    ['a settlement', [settledFor(19_000_000)]],
  ])('of %s is proceeds when it is credited, and not again when it is claimed', (_name, end) => {
    const waiting = [...untilOpen, ...end, deferredPart(19_000_000)];
    expect(positionOf(...waiting)).toMatchObject({
      proceedsUsdcUnits: 19_000_000n,
      deferredUsdcUnits: 19_000_000n,
    });
    expect(positionOf(...waiting, claimed(19_000_000))).toMatchObject({
      proceedsUsdcUnits: 19_000_000n,
      deferredUsdcUnits: 0n,
      repaidMarginUsdcUnits: 0n,
    });
  });

  test('of a claim waits on; what came late counts once, by any claimant, however often', () => {
    const untilClose = [...untilOpen, ...closedFor(99_000_000, 19_000_000), deferredPart(19_000_000)];
    const again = [...untilClose, deferredPart(19_000_005, false), claimed(19_000_005, true)];
    expect(positionOf(...again)).toMatchObject({ proceedsUsdcUnits: 19_000_005n, deferredUsdcUnits: 19_000_005n });
    expect(positionOf(...again, claimed(19_000_007))).toMatchObject({
      proceedsUsdcUnits: 19_000_007n,
      deferredUsdcUnits: 0n,
    });
  });

  test('of an exit and of a claim in one transaction are kept apart', () => {
    const exited: EventPart = {
      name: 'PositionExited',
      args: {
        tokenUnits: tokens(1),
        distribution: { ...nothing, userUsdcUnits: usdc(7) },
      },
    };
    const both = [...untilOpen, exited, deferredPart(7), deferredPart(9), claimed(9, true)];
    expect(positionOf(...both)).toMatchObject({ proceedsUsdcUnits: 9n, deferredUsdcUnits: 9n });
  });

  test('of a refunded opening is what the refund says, also after the claim', () => {
    const refund: EventPart = {
      name: 'PositionRefunded',
      args: {
        state: 'cancelled',
        refundUsdcUnits: usdc(24_500_000),
        badDebtUsdcUnits: usdc(0),
      },
    };
    const waiting = [created, refund, deferredPart(24_500_000)];
    expect(positionOf(...waiting)).toMatchObject({ proceedsUsdcUnits: 20_000_000n, deferredUsdcUnits: 24_500_000n });
    expect(positionOf(...waiting, claimed(24_500_000))).toMatchObject({
      proceedsUsdcUnits: 20_000_000n,
      refundedUsdcUnits: 24_500_000n,
      deferredUsdcUnits: 0n,
    });
  });
});

describe('an opening refund that waits in the account', () => {
  const untilDeferred = [...untilOpen, deferredPart(100_000)];

  test('is no proceeds of the sale it is paid out with', () => {
    expect(positionOf(...untilDeferred)).toMatchObject({ refundedUsdcUnits: 100_000n, deferredUsdcUnits: 100_000n });
    expect(positionOf(...untilDeferred, ...closedFor(99_100_000, 19_100_000))).toMatchObject({
      proceedsUsdcUnits: 19_000_000n,
      deferredUsdcUnits: 0n,
      repaidMarginUsdcUnits: 0n,
    });
  });

  test('is margin where the debt takes it', () => {
    const unwind = [
      authorized('unwind'),
      ended('unwind'),
      reduced('unwind', 'open', {
        distribution: { ...nothing, ...sale, proceedsUsdcUnits: usdc(40_060_000), userUsdcUnits: usdc(60_000) },
      }),
    ];
    expect(positionOf(...untilDeferred, ...unwind)).toMatchObject({
      proceedsUsdcUnits: 0n,
      repaidMarginUsdcUnits: 40_000n,
      collateralUsdcUnits: 20_040_000n,
      deferredUsdcUnits: 0n,
    });
  });

  test('is left out of the figures of a partial close', () => {
    const distribution = { ...nothing, ...sale, proceedsUsdcUnits: usdc(50_100_000), userUsdcUnits: usdc(10_100_000) };
    const part = [authorized('close'), ended('close'), reduced('close', 'open', { distribution })];
    const folded = foldPosition(historyOf(...untilDeferred, ...part), context);
    expect(folded?.partialCloses).toMatchObject([
      { saleProceedsUsdcUnits: 50_000_000n, userPayoutUsdcUnits: 10_000_000n },
    ]);
    expect(folded?.position.proceedsUsdcUnits).toBe(10_000_000n);
  });
});
