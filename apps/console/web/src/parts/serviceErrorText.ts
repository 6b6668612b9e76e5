import type { ServiceError } from '@core/sdk';
import { cents, dollars, dollarsHeld, percent, times } from '../money.ts';

/** Step of leverage: 0.25x. A maximum between two steps is rounded down. */
const stepBps = 2_500;

const leverageText = (bps: unknown): string => times(Math.floor(Number(bps) / stepBps) * stepBps);

/** Return a param of an error with its unit, which its name ends with. */
function valueText(name: string, value: unknown): string {
  if (name.includes('leverage') && name.endsWith('_bps')) return leverageText(value);
  if (name.endsWith('_bps')) return percent(Number(value));
  if (name.includes('price') && name.endsWith('_usd_pips')) return cents(String(value));
  if (name.endsWith('_usd_pips')) return dollars(String(value));
  if (name.endsWith('_usdc_units')) return dollarsHeld(BigInt(String(value)));
  return String(value);
}

/** Return the sentence for a code whose message needs the requested value beside the maximum; null for any other. */
function sentenceOf(code: string, params: Readonly<Record<string, unknown>>): string | null {
  const {
    current_book_leverage_bps: wanted,
    max_acceptable_leverage_bps: acceptable,
    max_leverage_bps: maximum,
  } = params;
  if (code === 'quote_leverage_too_high_for_price' && wanted !== undefined && acceptable !== undefined) {
    return `${times(Number(wanted))} would be liquidated at once at this price. The maximum you can use is ${leverageText(acceptable)}.`;
  }
  const isAboveMaximum = code === 'quote_leverage_exceeds_maximum' || code === 'quote_leverage_exceeds_model_max';
  if (isAboveMaximum && wanted !== undefined && maximum !== undefined) {
    return `${times(Number(wanted))} is not available for this size. The maximum you can use is ${leverageText(maximum)}.`;
  }
  return null;
}

/** Return a text with its amounts of money as the page formats them: `$2928.6904` is `$2,928.69`. */
const withMoney = (text: string): string =>
  text.replaceAll(/\$(\d+)\.(\d{2,6})/g, (_, whole: string, fraction: string) =>
    dollars(`${whole}${fraction.padEnd(4, '0').slice(0, 4)}`),
  );

/**
 * Return the service's error in a trader's terms: amounts instead of field names. A sentence about a field without an
 * amount is omitted, and so is the request to try, where `hasButton` says that a button has it.
 */
export function serviceErrorText(error: Pick<ServiceError, 'code' | 'message' | 'params'>, hasButton = false): string {
  const params: Readonly<Record<string, unknown>> = { ...error.params };
  const sentence = sentenceOf(error.code, params);
  if (sentence !== null) return sentence;
  const messageText = error.message.replaceAll(/`([a-z0-9_]+)`/g, (whole, name: string) =>
    params[name] === undefined || params[name] === null ? whole : valueText(name, params[name]),
  );
  const sentences = withMoney(messageText)
    .split(/(?<=[.!?])\s+/)
    .filter((text) => !/`|[a-z]_[a-z]/.test(text) && !(hasButton && /^Try .*\d/.test(text)));
  return sentences.length === 0 ? 'The service refused this request.' : sentences.join(' ');
}
