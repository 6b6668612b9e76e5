import type { PositionEvent } from '@core/position';
import { context, created, historyOf, untilOpen, usdc } from '@core/position/testing';
import { expect, test } from 'vitest';
import { outboxEntriesOf } from './outboxEntries.ts';

test('an entry is the customer event with an id that depends on its transaction only', () => {
  const events = historyOf(...untilOpen);
  const entries = outboxEntriesOf(events, { fromBlock: 0n, context, market: null });
  expect(entries.map(({ type }) => type)).toEqual(['position.created', 'position.opening', 'position.opened']);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(3);
  const later = events.map((event): PositionEvent => ({ ...event, blockNumber: event.blockNumber + 5n }));
  expect(outboxEntriesOf(later, { fromBlock: 0n, context, market: null }).map(({ id }) => id)).toEqual(
    entries.map(({ id }) => id),
  );
  const positionIds = entries.map(({ payload }) => ('position' in payload ? payload.position.id : null));
  expect(positionIds).toEqual(entries.map(({ positionId }) => positionId));
});

test('a failed opening is a position event and a notification with the reason', () => {
  const refund = {
    name: 'PositionRefunded',
    args: { state: 'reverted', refundUsdcUnits: usdc(24_500_000), badDebtUsdcUnits: usdc(0) },
  } as const;
  const entries = outboxEntriesOf(historyOf(created, refund), {
    fromBlock: 2n,
    context: { ...context, refundReason: 'floor_missed' },
    market: null,
  });
  expect(entries).toMatchObject([
    { type: 'position.reverted', positionId: 'pos_1' },
    {
      type: 'notification',
      payload: { code: 'PARTIAL_OPEN_FLOOR_MISSED', params: { position_id: 'pos_1', reason: 'floor_missed' } },
    },
  ]);
});
