import type { Quote } from '../generated/resources.ts';
import { signedFieldNames } from './signedFields.ts';

/** Field whose form prevents the computation of a figure, with the required form. */
export interface Malformed {
  readonly field: string;
  readonly form: string;
}

/** Inputs of the figures, besides the signed values. */
const inputNames = [
  ...signedFieldNames,
  'contract_signature',
  'expected_open_trading_fee_usdc_units',
  'min_expected_position_token_units',
  'partner_origination_fee_bps',
  'partner_origination_fee_usdc_units',
  'partner_trading_fee_bps',
  'partner_trading_fee_usdc_units',
  'protocol_origination_fee_bps',
];
const neededOfBasis = ['position_token_units', 'venue_fee_usdc_units', 'slippage_bps', 'exit_buffer_bps'];
/** Maximum leverage, 32 bits; every other rate has 16. */
const maxBps = { leverage_bps: 2 ** 32 - 1, other: 2 ** 16 - 1 };
const uint256 = 2n ** 256n;

const bytesOf = (count: number) => ({ pattern: new RegExp(`^0x[0-9a-f]{${2 * count}}$`, 'i'), form: `${count} bytes` });
const bytes = { pattern: /^0x(?:[0-9a-f]{2})*$/i, form: 'hexadecimal bytes' };
const forms: Readonly<Record<string, { readonly pattern: RegExp; readonly form: string }>> = {
  position_seed_hex: bytesOf(16),
  authority_public_key: bytesOf(20),
  venue_vault_contract_address: bytesOf(20),
  venue_market_id: bytesOf(32),
  contract_signature: bytes,
  data: bytes,
  position_seed: { pattern: /^\d{1,78}$/, form: 'a whole number' },
  venue_token_id: { pattern: /^\d{1,78}$/, form: 'a whole number' },
  signature_expiry: { pattern: /^\d{1,11}$/, form: 'Unix seconds' },
  evm_chain_id: { pattern: /^\d{1,15}$/, form: 'a chain ID' },
};
const amount = { pattern: /^\d{1,18}$/, form: 'a whole number' };
/** Form of a gain, which may be a loss. */
const gain = { pattern: /^-?\d{1,18}$/, form: 'a whole number' };

/** Return the first field whose form prevents the computation of a figure; null when there is none. */
export function malformedFieldOf(quote: Quote): Malformed | null {
  const groups = [
    ['', quote, inputNames],
    ['basis.', quote.basis, neededOfBasis],
    ['max_gain.', quote.max_gain, []],
    ['transaction.', quote.transaction, ['data']],
  ] as const;
  for (const [prefix, group, names] of groups) {
    if (group === undefined && prefix !== '') continue;
    if (typeof group !== 'object' || group === null)
      return { field: prefix.slice(0, -1) || 'quote', form: 'an object' };
    for (const name of new Set([...names, ...Object.keys(group)])) {
      const form = wrongFormOf(name, Reflect.get(group, name), prefix === 'max_gain.' ? gain : amount);
      if (form !== null) return { field: `${prefix}${name}`, form };
    }
  }
  return null;
}

/** Return the required form of a malformed value; null for a well-formed one. */
function wrongFormOf(name: string, value: unknown, money: typeof amount): string | null {
  if (name.endsWith('_bps')) {
    const max = name === 'leverage_bps' ? maxBps.leverage_bps : maxBps.other;
    const isRate = Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;
    return isRate || (name === 'min_fill_bps' && value === undefined) ? null : `a whole number from 0 to ${max}`;
  }
  const isMoney = /_(?:usd_pips|usdc_units|token_units)$/.test(name);
  const form = isMoney ? money : Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (form === undefined) return null;
  if (typeof value !== 'string' || !form.pattern.test(value)) return form.form;
  return name === 'venue_token_id' && BigInt(value) >= uint256 ? 'a number of 256 bits' : null;
}
