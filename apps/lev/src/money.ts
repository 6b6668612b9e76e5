import { formatCents, formatUsd, pricePips, toUsdPips, type UsdcUnits } from '@core/pricing';

/** Return an amount that the user pays, rounded up. */
export const paid = (units: UsdcUnits): string => `${formatUsd(toUsdPips(units, 'up'))} USD`;

/** Return an amount that the user receives, rounded down. */
export const received = (units: UsdcUnits): string => `${formatUsd(toUsdPips(units, 'down'))} USD`;

/** Return a price of the service in cents; a dash without one. */
export const priceText = (pips: string | null | undefined): string =>
  pips === null || pips === undefined ? '-' : formatCents(pricePips(BigInt(pips)));

/** Text of a cost without enough fills in the last day. */
export const notMeasured = 'not measured';

/** Return quantities as text: JSON has no bigint. */
export const asText = (value: object): object =>
  Object.fromEntries(Object.entries(value).map(([name, part]) => [name, part === null ? null : String(part)]));
