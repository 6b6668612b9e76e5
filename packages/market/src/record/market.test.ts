import { blankOf } from '@core/position';
import { describe, expect, test } from 'vitest';
import { sampleVenueMarket } from '../../testing/index.ts';
import { type MarketRow, marketFields, marketRecordOf } from './market.ts';

const record = sampleVenueMarket('btc-up', 0);
const rowOf = (changes: Partial<MarketRow>): MarketRow => ({
  ...blankOf(marketFields),
  record,
  payoutNumerators: null,
  payoutDenominator: null,
  ...changes,
});

describe('the record of a row', () => {
  test('reads payouts from decimal text, of any uint256', () => {
    const largest = 2n ** 256n - 1n;
    const row = rowOf({ payoutNumerators: ['0', String(largest)], payoutDenominator: String(largest) });
    expect(marketRecordOf(row)).toMatchObject({ payoutNumerators: [0n, largest], payoutDenominator: largest });
    expect(marketRecordOf(rowOf({}))).toMatchObject({ payoutNumerators: [], payoutDenominator: null });
  });

  test('keeps a venue record and drops fields that none has', () => {
    expect(marketRecordOf(rowOf({ record: { ...record, oddity: 1 } })).record).toEqual(record);
  });

  test.each([
    ['no object', null],
    ['an empty object', {}],
    ['a missing field', { ...record, tokenIds: undefined }],
    ['a number for an amount', { ...record, tickPricePips: 100 }],
    ['an unknown status', { ...record, resolutionStatus: 'odd' }],
  ])('has no venue record for %s', (_name, stored) => {
    expect(marketRecordOf(rowOf({ record: stored })).record).toBeNull();
  });
});
