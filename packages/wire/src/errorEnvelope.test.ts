import { type ErrorDefinition, errorCodes, errorTable, reject } from '@core/errors';
import { leverageBps, usdcUnits, usdPips } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { errorEnvelope, errorEnvelopeSchema } from './errorEnvelope.ts';
import { codesOf } from './openapi/buildOpenApi.ts';
import { fieldAtFault } from './routes/fields.ts';
import type { RouteDefinition } from './routes/route.ts';
import { routes } from './routes.ts';

const occasion = { origin: 'https://api.example', requestId: 'req_1' };

test('params: amounts become text and basis points numbers, in the order of the table', () => {
  const envelope = errorEnvelope(
    reject('QUOTE_REVISION_REQUIRED', {
      acceptable_collateral_usdc_units: usdcUnits(33_333_334n),
      acceptable_leverage_bps: leverageBps(30_000n),
      acceptable_notional_usd_pips: usdPips(1_000_000n),
      requested_leverage_bps: leverageBps(40_000n),
      requested_notional_usd_pips: usdPips(1_000_000n),
      revision: 'leverage_reduced',
    }),
    occasion,
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

test('params: ages and shares stay numbers', () => {
  const envelope = errorEnvelope(
    reject('quote_entry_price_stale', { last_update_age_ms: 7_000, market_id: 'mkt_1' }),
    occasion,
  );
  expect(envelope.error.params).toEqual({ last_update_age_ms: 7_000, market_id: 'mkt_1' });
});

test('params: the key is absent without params', () => {
  expect(errorEnvelope(reject('unauthorized'), occasion).error).not.toHaveProperty('params');
  expect(errorEnvelope(reject('risk_engine_market_disabled'), occasion).error).not.toHaveProperty('params');
});

test('message: a detail replaces the message of the table', () => {
  const detail = 'leverage_bps: must be a multiple of 2500';
  const { error } = errorEnvelope(reject('invalid_request'), { ...occasion, detail, param: 'leverage_bps' });
  expect(error).toMatchObject({ message: detail, param: 'leverage_bps' });
});

test('every error has its page and its request ID, and a field only where one is at fault', () => {
  const { error } = errorEnvelope(reject('unauthorized'), occasion);
  expect(error).toMatchObject({ doc_url: 'https://api.example/errors/unauthorized', request_id: 'req_1' });
  expect(error).not.toHaveProperty('param');
});

describe('fieldAtFault: returns the field that the code is about', () => {
  test.each([
    ['createQuote', 'customer_market_not_found', 'market_ticker'],
    ['getMarket', 'customer_market_not_found', 'ticker'],
    ['getFeeRates', 'customer_market_not_found', 'ticker'],
    ['createQuote', 'quote_leverage_exceeds_maximum', 'leverage_bps'],
    ['promoteDraftQuote', 'quote_leverage_exceeds_maximum', null],
    ['getPosition', 'customer_position_not_found', 'position_id'],
    ['createToken', 'customer_auth_invalid_wallet_address', 'wallet_address'],
    ['createQuote', 'quote_market_not_active', null],
  ] as const)('%s %s: %s', (name, code, field) => {
    expect(fieldAtFault(routes[name], code)).toBe(field);
  });

  test('every field of a code is a field of a route that returns it', () => {
    for (const code of errorCodes) {
      const { fields }: ErrorDefinition = errorTable[code];
      const definitions: readonly RouteDefinition[] = Object.values(routes);
      const named = new Set(
        definitions.filter((route) => codesOf(route).includes(code)).map((route) => fieldAtFault(route, code)),
      );
      for (const field of fields ?? []) expect([code, [...named]]).toEqual([code, expect.arrayContaining([field])]);
    }
  });
});
