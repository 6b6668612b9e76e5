import { describe, expect, test } from 'vitest';
import type { ErrorDefinition } from './definition.ts';
import { eligibilityTwinOf } from './eligibilityTwin.ts';
import { errorCodes } from './errorCodes.ts';
import { rejectionReasonCodes } from './rejectionReasonCodes.ts';
import { errorTable } from './table.ts';

const definitions: ReadonlyArray<readonly [string, ErrorDefinition]> = Object.entries(errorTable);

/** Statuses allowed for each type (specification, Errors). */
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

describe('errorTable', () => {
  test.each(definitions)('%s: type and status agree', (_code, definition) => {
    const statuses = statusesByType[definition.type];
    expect(statuses === undefined ? definition.status >= 500 : statuses.includes(definition.status)).toBe(true);
  });

  test.each(definitions)('%s: the message says what to do and the clause is named', (_code, definition) => {
    expect(definition.message).toMatch(/^.+\..*\.$/);
    expect(definition.clause).not.toBe('');
  });

  test.each(definitions)('%s: the kind of each param matches the unit in its name', (_code, definition) => {
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

  test('21 codes have an eligibility twin, which is the code in upper case', () => {
    const twins = errorCodes.filter((code) => eligibilityTwinOf(code) !== null);
    expect(twins).toHaveLength(21);
    for (const code of twins) expect(eligibilityTwinOf(code)).toBe(code.toUpperCase());
  });

  test('every market reason is the twin of a code, except the two without a code', () => {
    expect(rejectionReasonCodes).toHaveLength(23);
    const twins = new Set(errorCodes.map(eligibilityTwinOf));
    expect(rejectionReasonCodes.filter((reason) => !twins.has(reason))).toEqual([
      'QUOTE_MARKET_OPEN_INTEREST_TOO_LOW',
      'QUOTE_HARD_EXIT_TOO_CLOSE',
    ]);
  });
});
