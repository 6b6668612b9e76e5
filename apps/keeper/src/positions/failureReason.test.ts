import { pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import { expect, test } from 'vitest';
import type { Intent } from '../transactions/intents.ts';
import { failureReasonOf } from './failureReason.ts';

const opening = {
  notionalUsdcUnits: usdcUnits(100_000_000n),
  minPositionTokenUnits: tokenUnits(190_000_000n),
  entryPricePips: pricePips(5_000n),
  tickPricePips: pricePips(100n),
};

const attempt = (state: string, revert: string | null, ageMs = 0): Intent =>
  ({
    operation: 'authorize_open',
    state,
    outcome: revert === null ? null : { revert },
    createdAtMs: 1_000,
    updatedAtMs: 1_000 + ageMs,
  }) as never;
/** A purchase of 100 tokens at a price. */
const post = (pips: bigint, refusal: string | null, statuses: readonly string[] = []): Intent =>
  ({
    operation: 'post_open',
    plan: { order: { makerAmount: pips * 10_000n, takerAmount: 100_000_000n } },
    outcome: { refusal, trades: statuses.map((status) => ({ status })) },
  }) as never;

const authorised = attempt('included', null);
const missWith = (code: string): readonly Intent[] => [
  authorised,
  post(5_200n, 'order_not_filled'),
  attempt('dropped', code),
];

test.each([
  ['no attempt', [], 'price_unavailable'],
  ['an order that never reached the venue', [authorised], 'order_not_filled'],
  [
    'a match that was undone',
    [authorised, post(5_100n, null, ['FAILED']), attempt('dropped', 'book_empty')],
    'ghost_fill',
  ],
  ['a refusal of the venue', [authorised, post(5_100n, 'order_invalid')], 'venue_rejected'],
  [
    'no counterparty at the limit of the price signers',
    [authorised, post(5_100n, 'order_not_filled')],
    'order_not_filled',
  ],
  ['no counterparty at the limit of the user', [authorised, post(5_200n, 'order_not_filled')], 'price_moved'],
  ['a bound that no price meets', missWith('minimum_tokens_unreachable'), 'minimum_tokens_unreachable'],
  ['too little for the fee', missWith('venue_fee_too_small'), 'venue_fee_too_small'],
  ['a refusal of the vault', missWith('UnhealthyAtOpening'), 'liquidation_price_too_high'],
  ['an empty book', missWith('book_empty'), 'liquidity_insufficient'],
  ['a tripped breaker', missWith('breaker_tripped'), 'price_unavailable'],
  ['a window that is over', missWith('trading_window_over'), 'market_closed'],
  ['a pool that has lent all', missWith('LiquidityExceeded'), 'pool_limit_reached'],
  ['a transaction that still waits', [attempt('broadcast', null)], 'transaction_not_mined'],
  ['a nonce that another transaction used', [attempt('replaced', null)], 'transaction_not_mined'],
  ['a keeper that died before it sent', [attempt('dropped', 'signer_gone')], 'transaction_not_mined'],
  ['a revert after the attestation was too old', [attempt('reverted', null, 30_000)], 'transaction_not_mined'],
  ['a revert before that', [attempt('reverted', null, 29_999)], 'order_not_allowed'],
  ['a code without a row', missWith('SomethingElse'), 'order_not_allowed'],
] as const)('%s', (_name, intents, reason) => {
  expect(failureReasonOf(intents, opening)).toBe(reason);
});
