import { signedFieldNames } from '@core/sdk';
import { type StoredValue, storedValueOf } from '../browserStorage.ts';
import type { Hex } from '../chain/wallet.ts';
import { type OpeningState, openingStages } from './openingState.ts';

/** Fields that the pages read from every quote. */
const quoteNames = [
  'id',
  'authority_public_key',
  'market_ticker',
  'effective_side',
  'leverage_bps',
  'collateral_usdc_units',
  'notional_amount_usd_pips',
  'notional_usdc_units',
  'entry_price_usd_pips',
  'current_liquidation_price_usd_pips',
  'lifetime_fee_apr_bps',
  'liquidation_fee_bps',
  'origination_fee_bps',
  'origination_fee_usdc_units',
  'expected_open_trading_fee_usdc_units',
  'venue_trading_fee_bps',
  'total_user_amount_usd_pips',
  'total_user_amount_usdc_units',
  'expires_at',
];
const basisNames = ['position_token_units', 'venue_fee_usdc_units', 'slippage_bps', 'exit_buffer_bps'];
const gainNames = ['net_max_gain_usd_pips', 'net_max_gain_usdc_units'];
const signedNames = [...signedFieldNames, 'on_chain_position_key', 'contract_signature'];

/** Return true for a value of the kind that the last word of its name stands for. */
function isOfKind(name: string, value: unknown): boolean {
  if (name.endsWith('_bps')) return Number.isSafeInteger(value);
  if (typeof value !== 'string') return false;
  if (name.endsWith('_units') || name.endsWith('_pips') || name === 'signature_expiry') return /^-?\d+$/.test(value);
  return name === 'expires_at' ? !Number.isNaN(Date.parse(value)) : true;
}

const fieldOf = (record: unknown, name: string): unknown => Reflect.get(Object(record), name);
const hasAll = (record: unknown, names: readonly string[]): boolean =>
  names.every((name) => isOfKind(name, fieldOf(record, name)));

function isDraftOf(ticker: string, quote: unknown): boolean {
  const side = fieldOf(quote, 'effective_side');
  const gain = fieldOf(quote, 'max_gain');
  return (
    hasAll(quote, quoteNames) &&
    hasAll(fieldOf(quote, 'basis'), basisNames) &&
    (gain === undefined || hasAll(gain, gainNames)) &&
    (side === 'yes' || side === 'no') &&
    fieldOf(quote, 'market_ticker') === ticker
  );
}

/** Return true for a state that the pages can show and resume. */
function isOpening(ticker: string, json: unknown): json is OpeningState {
  const stage = openingStages.find((name) => name === fieldOf(json, 'stage'));
  if (stage === undefined) return false;
  if (stage === 'filled') return typeof fieldOf(json, 'positionId') === 'string';
  if (!isDraftOf(ticker, fieldOf(json, 'draft'))) return false;
  if (stage === 'draft') return true;
  const quote = fieldOf(json, 'quote');
  if (!isDraftOf(ticker, quote) || !hasAll(quote, signedNames)) return false;
  const hash = fieldOf(json, 'hash');
  return stage !== 'sent' || hash === null || typeof hash === 'string';
}

/** Return the opening of a wallet in a market. It belongs to this tab: no other may send it. It contains no key. */
export const storedOpeningOf = (address: Hex | null, ticker: string): StoredValue<OpeningState> =>
  storedValueOf({
    area: 'sessionStorage',
    name: `opening:${address ?? 'visitor'}:${ticker}`,
    parse: (json) => (isOpening(ticker, json) ? json : null),
  });
