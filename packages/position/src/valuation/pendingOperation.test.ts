import { tokenUnits } from '@core/pricing';
import { expect, test } from 'vitest';
import { samplePosition } from '../../testing/samples.ts';
import { pendingOperationOf } from './pendingOperation.ts';

const requestOf = (units: bigint) => ({ closeRequestedTokenUnits: tokenUnits(units), closeRequestedAtMs: 7 });

test("an order that lowers debt precedes the user's request", () => {
  const operationOf = (changes: Parameters<typeof samplePosition>[1]) => pendingOperationOf(samplePosition(1, changes));
  expect(operationOf({})).toBeNull();
  expect(operationOf({ livePurpose: 'open' })).toBeNull();
  const unwind = { livePurpose: 'unwind', liveAuthorizedAtMs: 5, ...requestOf(200_000_000n) } as const;
  expect(operationOf(unwind)).toEqual({ type: 'unwind', requestedAtMs: 5, tokenUnits: null });
  expect(operationOf({ livePurpose: 'liquidate', liveAuthorizedAtMs: 6 })).toMatchObject({ type: 'liquidation' });
  expect(operationOf({ cancelRequestedAtMs: 3 })).toEqual({ type: 'cancel', requestedAtMs: 3, tokenUnits: null });
  expect(operationOf(requestOf(200_000_000n))).toEqual({ type: 'close', requestedAtMs: 7, tokenUnits: null });
  expect(operationOf(requestOf(50_000_000n))).toEqual({
    type: 'partial_close',
    requestedAtMs: 7,
    tokenUnits: tokenUnits(50_000_000n),
  });
});
