import { type PartnerTerms, partnerTermsOf } from '@core/policy';
import { FriendlyError } from '@core/runtime';
import { vaultConstants } from '@core/vault';

/** Terms in the format of the command line: the path of each figure, with its value in decimal digits. */
export type TermsText = Readonly<Record<string, string>>;

const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Return every figure of terms by its path, such as `limits.user_notional_usd_pips`, in the order of the paths. */
export function presentTerms(terms: PartnerTerms): TermsText {
  return Object.fromEntries(leavesOf(terms, '').toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function leavesOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, entry]) =>
    leavesOf(entry, path === '' ? toSnake(name) : `${path}.${toSnake(name)}`),
  );
}

/**
 * Return terms with changes of the form `path=value`.
 * @throws FriendlyError for an unknown path, a malformed value, and terms that the service or the vault would reject.
 */
export function changedTerms(terms: PartnerTerms, changes: readonly string[]): PartnerTerms {
  const newValues = new Map<string, string>();
  const figures = presentTerms(terms);
  for (const change of changes) {
    const [, path = '', value = ''] = /^([^=]*)=(.*)$/.exec(change) ?? [];
    if (!Object.hasOwn(figures, path)) {
      throw new FriendlyError(`${path || change} is not a field of the terms: ${Object.keys(figures).join(', ')}`);
    }
    newValues.set(path, value);
  }
  const changed = withLeaves(terms, '', newValues) as PartnerTerms;
  checkTerms(changed);
  return changed;
}

function withLeaves(value: unknown, path: string, newValues: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((entry, index) => withLeaves(entry, `${path}.${index}`, newValues));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, entry]) => {
      return [name, withLeaves(entry, path === '' ? toSnake(name) : `${path}.${toSnake(name)}`, newValues)] as const;
    });
    return Object.fromEntries(entries);
  }
  const text = newValues.get(path);
  return text === undefined ? value : leafOf(value, path, text);
}

const riskModes: readonly string[] = ['adaptive', 'committed'];

function leafOf(current: unknown, path: string, text: string): unknown {
  if (typeof current !== 'bigint') {
    if (riskModes.includes(text)) return text;
    throw new FriendlyError(`${path}: expected ${riskModes.join(' or ')}, got ${text}`);
  }
  if (!/^\d{1,18}$/.test(text))
    throw new FriendlyError(`${path}: expected a whole number of up to 18 digits, got ${text}`);
  return BigInt(text);
}

const wholeBps = 10_000n;
const maxLeverageBps = 100_000n;

function checkTerms(terms: PartnerTerms): void {
  const { minCollateralUsdPips, minNotionalUsdPips } = partnerTermsOf(terms);
  if (minCollateralUsdPips !== terms.minCollateralUsdPips) {
    throw new FriendlyError(`min_collateral_usd_pips must be at least ${minCollateralUsdPips}`);
  }
  if (minNotionalUsdPips !== terms.minNotionalUsdPips) {
    throw new FriendlyError(`min_notional_usd_pips must be at least ${minNotionalUsdPips}`);
  }
  const bounds = Object.entries(presentTerms(terms)).filter(([path]) => path.endsWith('_bps'));
  for (const [path, text] of bounds) {
    const isLeverage = path.endsWith('max_leverage_bps');
    const [low, high] = isLeverage ? [wholeBps, maxLeverageBps] : [0n, highestRateOf(path)];
    if (BigInt(text) < low || BigInt(text) > high) throw new FriendlyError(`${path} must be from ${low} to ${high}`);
  }
}

/** Maximum of a rate: the vault's cap for origination fees, 100 % for all others. */
const highestRateOf = (path: string): bigint =>
  path === 'fees.partner_origination_fee_bps' || path.startsWith('fees.origination_tiers.')
    ? BigInt(String(vaultConstants.maxOriginationFeeBps))
    : wholeBps;
