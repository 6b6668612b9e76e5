import type { LeverageBps, UsdcUnits, UsdPips } from '@core/pricing';
import { assertType, expectTypeOf, test } from 'vitest';
import { type ErrorParams, type Rejection, reject } from './rejection.ts';

declare const leverageBps: LeverageBps;
declare const usdPips: UsdPips;
declare const usdcUnits: UsdcUnits;

test('reject: accepts exactly the params of the table', () => {
  assertType<Rejection>(
    reject('quote_leverage_below_minimum', { current_book_leverage_bps: leverageBps, min_leverage_bps: leverageBps }),
  );
  // @ts-expect-error a missing param does not compile
  reject('quote_leverage_below_minimum', { min_leverage_bps: leverageBps });
  // @ts-expect-error params are required where the table lists them
  reject('quote_leverage_below_minimum');
  // @ts-expect-error a quantity of another kind does not compile
  reject('quote_notional_below_minimum', { min_notional_usd_pips: usdPips, requested_notional_usd_pips: usdcUnits });
  // @ts-expect-error an unknown code does not compile
  reject('quote_unknown');
  // @ts-expect-error a key the table does not list does not compile
  reject('unauthorized', { reason: 'x' });
});

test('reject: optional params may be absent, and the code narrows the others', () => {
  assertType<Rejection>(reject('risk_engine_market_disabled'));
  assertType<Rejection>(reject('risk_engine_market_disabled', { reason: 'force_disabled' }));
  expectTypeOf<ErrorParams<'quote_user_capital_exceeded'>>().toHaveProperty('available_notional_usdc_units');
  expectTypeOf<Extract<Rejection, { code: 'quote_entry_excluded_sport' }>['params']['sport']>().toEqualTypeOf<string>();
});
