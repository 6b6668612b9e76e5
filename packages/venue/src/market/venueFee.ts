import type { VenueFeeSchedule } from '@core/pricing';
import type { CatalogueRecord } from '../schema/catalogue.ts';
import { scaledOf } from '../text/decimal.ts';

const ppmDecimals = 6;
const maximumExponent = 4n;

/**
 * The venue's taker fee of a market: rate 0 when the record says fees are off, its schedule when it gives one that can
 * be read exactly, else null. Null fails closed: a fee that is unknown must never be quoted as free. The record's
 * legacy base fees (1000) are flags, not rates, and are never read.
 */
export function venueFeeScheduleOf(record: CatalogueRecord): VenueFeeSchedule | null {
  if (record.feesEnabled === false) {
    return { ratePpm: 0n, exponent: 1n };
  }
  const schedule = record.feeSchedule;
  if (schedule === null || schedule === undefined) {
    return null;
  }
  const ratePpm = scaledOf(schedule.rate, ppmDecimals, 'exact');
  const exponent = scaledOf(schedule.exponent, 0, 'exact');
  const isReadable =
    ratePpm !== null &&
    exponent !== null &&
    ratePpm >= 0n &&
    ratePpm <= 1_000_000n &&
    exponent >= 0n &&
    exponent <= maximumExponent;
  return isReadable ? { ratePpm, exponent } : null;
}
