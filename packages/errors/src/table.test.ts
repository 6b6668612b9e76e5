import { describe, expect, test } from 'vitest';
import type { ErrorDefinition } from './definition.ts';
import { eligibilityTwinOf } from './eligibilityTwin.ts';
import { errorCodes } from './errorCodes.ts';
import { rejectionReasonCodes } from './rejectionReasonCodes.ts';
import { errorTable } from './table.ts';

const definitions: ReadonlyArray<readonly [string, ErrorDefinition]> = Object.entries(errorTable);

/** Specification, Errors: which statuses belong to which type. */
const statusesByType: Record<string, readonly number[]> = {
  INVALID_REQUEST_ERROR: [400, 404, 409],
  AUTHENTICATION_ERROR: [401, 403],
  RATE_LIMIT_ERROR: [429],
};

function kindsOfSuffix(key: string): readonly string[] {
  if (key.endsWith('_usd_pips')) return ['UsdPips', 'PricePips'];
  if (key.endsWith('_usdc_units')) return ['UsdcUnits'];
  if (key.endsWith('leverage_bps')) return ['LeverageBps'];
  if (key.endsWith('_bps')) return ['RateBps'];
  if (key.endsWith('_ms') || key.endsWith('pct_elapsed')) return ['number'];
  return ['text', 'Side', 'FillBound', 'Revision'];
}

describe('the table', () => {
  test.each(definitions)('%s: type and status agree', (_code, definition) => {
    const statuses = statusesByType[definition.type];
    expect(statuses === undefined ? definition.status >= 500 : statuses.includes(definition.status)).toBe(true);
  });

  test.each(definitions)('%s: message says what to do and clause is named', (_code, definition) => {
    expect(definition.message).toMatch(/^.+\..*\.$/);
    expect(definition.clause).not.toBe('');
  });

  test.each(definitions)('%s: the unit at the end of a param is its kind', (_code, definition) => {
    for (const [key, kind] of Object.entries(definition.params)) {
      expect(kindsOfSuffix(key)).toContain(kind.replace('?', ''));
    }
  });

  test('exactly three codes are retryable', () => {
    expect(
      definitions
        .filter(([, definition]) => definition.retry === 'backoff')
        .map(([code]) => code)
        .toSorted(),
    ).toEqual(['internal_server_error', 'request_already_in_progress', 'too_many_requests']);
  });

  test('a twin is the uppercase of its code, 21 in all', () => {
    const twins = errorCodes.filter((code) => eligibilityTwinOf(code) !== null);
    expect(twins).toHaveLength(21);
    for (const code of twins) expect(eligibilityTwinOf(code)).toBe(code.toUpperCase());
  });

  test('every market reason is the twin of a code, but for the two that are none', () => {
    expect(rejectionReasonCodes).toHaveLength(23);
    const twins = new Set(errorCodes.map(eligibilityTwinOf));
    expect(rejectionReasonCodes.filter((reason) => !twins.has(reason))).toEqual([
      'QUOTE_MARKET_OPEN_INTEREST_TOO_LOW',
      'QUOTE_HARD_EXIT_TOO_CLOSE',
    ]);
  });
});
