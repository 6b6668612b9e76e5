import { foldPosition, type LivePurpose } from '@core/position';
import {
  authorized,
  context,
  type EventPart,
  ended,
  historyOf,
  nothing,
  reduced,
  sale,
  tokens,
  untilOpen,
  usdc,
} from '@core/position/testing';
import { expect, test } from 'vitest';
import { isForcedSale } from './forcedSale.ts';

const request: EventPart = {
  name: 'CloseRequested',
  args: { tokenUnits: tokens(100_000_000), minPricePips: 0n },
};
const margin: EventPart = {
  name: 'MarginAdded',
  args: { principalUsdcUnits: usdc(80_000_000), lifetimeFeeUsdcUnits: usdc(0) },
};
const exit: EventPart = {
  name: 'PositionExited',
  args: { tokenUnits: tokens(200_000_000), distribution: { ...nothing, principalUsdcUnits: usdc(80_000_000) } },
};
const settlement: EventPart = { name: 'PositionSettled', args: { distribution: { ...nothing, ...sale } } };
const sold = (purpose: LivePurpose, state: 'open' | 'closed' | 'liquidated'): readonly EventPart[] => [
  authorized(purpose),
  ended(purpose),
  reduced(purpose, state, { distribution: { ...nothing, ...sale } }),
];

test.each<[string, boolean, readonly EventPart[]]>([
  ['an unwind of a part', true, sold('unwind', 'open')],
  ['an unwind of everything', true, sold('unwind', 'closed')],
  ['the liquidation of a part', true, sold('liquidate', 'open')],
  ['a liquidation', true, sold('liquidate', 'liquidated')],
  ['an order that was killed', false, [authorized('unwind'), ended('unwind')]],
  ['a part that its user closed', false, [request, ...sold('close', 'open')]],
  ['a close', false, [request, ...sold('close', 'closed')]],
  ['added margin', false, [margin]],
  ['an exit by repaying', false, [exit]],
  ['a settlement', false, [settlement]],
])('%s: %s', (_what, isForced, parts) => {
  const before = foldPosition(historyOf(...untilOpen), context)?.position;
  const after = foldPosition(historyOf(...untilOpen, ...parts), context)?.position;
  if (before === undefined || after === undefined) throw new Error('the history begins with a creation');
  expect(isForcedSale(before, after)).toBe(isForced);
});

test('a requested close is not a forced sale', () => {
  const before = foldPosition(historyOf(...untilOpen, request), context)?.position;
  const after = foldPosition(historyOf(...untilOpen, request, ...sold('close', 'closed')), context)?.position;
  if (before === undefined || after === undefined) throw new Error('the history begins with a creation');
  expect(isForcedSale(before, after)).toBe(false);
});
