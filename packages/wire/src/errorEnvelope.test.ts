import { reject } from '@core/errors';
import { leverageBps, usdcUnits, usdPips } from '@core/pricing';
import { expect, expectTypeOf, test } from 'vitest';
import { errorEnvelope, errorEnvelopeSchema, type WireErrorParams } from './errorEnvelope.ts';

test('amounts become text, basis points numbers, in the order of the table', () => {
  const envelope = errorEnvelope(
    reject('QUOTE_REVISION_REQUIRED', {
      acceptable_collateral_usdc_units: usdcUnits(33_333_334n),
      acceptable_leverage_bps: leverageBps(30_000n),
      acceptable_notional_usd_pips: usdPips(1_000_000n),
      requested_leverage_bps: leverageBps(40_000n),
      requested_notional_usd_pips: usdPips(1_000_000n),
      revision: 'leverage_reduced',
    }),
  );
  expect(errorEnvelopeSchema.parse(envelope)).toEqual(envelope);
  expect(Object.entries(envelope.error.params ?? {})).toEqual([
    ['revision', 'leverage_reduced'],
    ['requested_leverage_bps', 40_000],
    ['requested_notional_usd_pips', '1000000'],
    ['acceptable_leverage_bps', 30_000],
    ['acceptable_notional_usd_pips', '1000000'],
    ['acceptable_collateral_usdc_units', '33333334'],
  ]);
});

test('ages and shares stay numbers', () => {
  const envelope = errorEnvelope(reject('quote_entry_price_stale', { last_update_age_ms: 7_000, market_id: 'mkt_1' }));
  expect(envelope.error.params).toEqual({ last_update_age_ms: 7_000, market_id: 'mkt_1' });
});

test('no params, no key', () => {
  expect(errorEnvelope(reject('unauthorized')).error).not.toHaveProperty('params');
  expect(errorEnvelope(reject('risk_engine_market_disabled')).error).not.toHaveProperty('params');
});

test('a detail replaces the message of the table', () => {
  expect(errorEnvelope(reject('invalid_request'), 'leverage_bps: must be a multiple of 2500').error.message).toBe(
    'leverage_bps: must be a multiple of 2500',
  );
});

test('clients see the wire types', () => {
  expectTypeOf<WireErrorParams<'quote_leverage_exceeds_maximum'>['max_leverage_bps']>().toEqualTypeOf<number>();
  expectTypeOf<WireErrorParams<'quote_notional_below_minimum'>['min_notional_usd_pips']>().toEqualTypeOf<string>();
  expectTypeOf<WireErrorParams<'risk_engine_market_disabled'>['reason']>().toEqualTypeOf<string | undefined>();
});
