import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { storedValueOf, textsIn } from '../web/src/browserStorage.ts';
import { rememberedKeysOf, rememberKeys } from '../web/src/chain/rememberedKeys.ts';
import { storedOpeningOf } from '../web/src/opening/storedOpening.ts';

const sources = fileURLToPath(new URL('../web/src/', import.meta.url));

afterEach(() => {
  vi.unstubAllGlobals();
});

const refuse = (): never => {
  throw new DOMException('refused', 'SecurityError');
};

/** Storages of browsers: a working one, and those that refuse reading, writing or removing. */
const storages = {
  working: () => storageOf({}),
  full: () =>
    storageOf({
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    }),
  blocked: () => storageOf({ getItem: refuse, setItem: refuse, removeItem: refuse }),
  'without removal': () => storageOf({ removeItem: refuse }),
  missing: () => null,
} as const;

type Items = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function storageOf(refusals: Partial<Items>): Items {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
    ...refusals,
  };
}

const kinds = Object.keys(storages) as (keyof typeof storages)[];
let count = 0;
/** Return a name that no other case uses: what a browser refuses is in memory. */
const freshName = (): string => `case ${(count += 1)}`;

test('storage: writes to any kind of storage, which may change between them → the last value is read', () => {
  const write = fc.tuple(fc.constantFrom(...kinds), fc.option(fc.array(fc.string())));
  fc.assert(
    fc.property(fc.array(write, { minLength: 1 }), (writes) => {
      const value = storedValueOf({ area: 'localStorage', name: freshName(), parse: textsIn });
      const places = new Map(kinds.map((kind) => [kind, storages[kind]()]));
      for (const [kind, texts] of writes) {
        vi.stubGlobal('localStorage', places.get(kind));
        value.write(texts);
        expect(value.read()).toEqual(texts);
      }
    }),
  );
});

test('storage: reading the property itself throws → kept in memory', () => {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  Object.defineProperty(globalThis, 'localStorage', { get: refuse, configurable: true });
  const value = storedValueOf({ area: 'localStorage', name: freshName(), parse: textsIn });
  const before = value.read();
  value.write(['one']);
  const after = value.read();
  if (original === undefined) Reflect.deleteProperty(globalThis, 'localStorage');
  else Object.defineProperty(globalThis, 'localStorage', original);
  expect({ before, after }).toEqual({ before: null, after: ['one'] });
});

test('storage: texts of another origin → a value of the right shape or none', () => {
  const name = freshName();
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      vi.stubGlobal('localStorage', storageOf({ getItem: () => text }));
      const texts = storedValueOf({ area: 'localStorage', name, parse: textsIn }).read();
      expect(texts === null || texts.every((one) => typeof one === 'string')).toBe(true);
    }),
  );
});

const figures = {
  collateral_usdc_units: '50000000',
  notional_usdc_units: '100000000',
  notional_amount_usd_pips: '1000000',
};
const draft = {
  ...figures,
  id: 'quote',
  authority_public_key: '0x01',
  market_ticker: 'MARKET',
  effective_side: 'yes',
  leverage_bps: 20_000,
  entry_price_usd_pips: '5000',
  current_liquidation_price_usd_pips: '2500',
  lifetime_fee_apr_bps: 1_000,
  liquidation_fee_bps: 100,
  origination_fee_bps: 50,
  origination_fee_usdc_units: '500000',
  expected_open_trading_fee_usdc_units: '100000',
  venue_trading_fee_bps: 10,
  total_user_amount_usd_pips: '506000',
  total_user_amount_usdc_units: '50600000',
  expires_at: '2026-11-28T12:00:00.000Z',
  basis: { position_token_units: '200000000', venue_fee_usdc_units: '1', slippage_bps: 500, exit_buffer_bps: 300 },
  max_gain: { net_max_gain_usd_pips: '-1', net_max_gain_usdc_units: '-100' },
};
const quote = {
  ...draft,
  position_seed_hex: '0x01',
  venue_market_id: '0x01',
  venue_token_id: '1',
  venue_vault_contract_address: '0x01',
  evm_chain_id: '31337',
  signature_expiry: '1795219215',
  on_chain_position_key: '0x01',
  contract_signature: '0x01',
};
const states = [
  { stage: 'draft', draft },
  { stage: 'promoted', draft, quote },
  { stage: 'verified', draft, quote },
  { stage: 'approved', draft, quote },
  { stage: 'sent', draft, quote, hash: null },
  { stage: 'sent', draft, quote, hash: '0x01' },
  { stage: 'filled', positionId: 'position' },
];

function readOpening(text: string): unknown {
  vi.stubGlobal('sessionStorage', storageOf({ getItem: () => text }));
  return storedOpeningOf(null, 'MARKET').read();
}

test('opening: each stage → read as it was written', () => {
  expect(states.map((state) => readOpening(JSON.stringify(state)))).toEqual(states);
});

/** Return the paths of all fields in a record. */
const pathsIn = (record: object): string[][] =>
  Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null ? [[name], ...pathsIn(value).map((path) => [name, ...path])] : [[name]],
  );

function changed(record: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner: unknown = Reflect.get(record, name);
  return { ...record, [name]: rest.length === 0 ? value : changed(Object(inner), rest, value) };
}

test('opening: one field of another kind or missing → dropped; another value of its kind may stay', () => {
  const cases = states.flatMap((state) => pathsIn(state).map((path) => ({ state, path })));
  const foreign = fc.constantFrom<unknown>(undefined, null, true, {}, [], 1.5, [1]);
  fc.assert(
    fc.property(fc.constantFrom(...cases), foreign, ({ state, path }, value) => {
      const isOptional = path.at(-1) === 'max_gain' && value === undefined;
      const isHash = path.at(-1) === 'hash' && value === null;
      const read = readOpening(JSON.stringify(changed(state, path, value)));
      expect(read === null).toBe(!(isOptional || isHash));
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '"draft"',
  '{}',
  '{"stage":"draft"}',
  '{"stage":"later","draft":{}}',
  '{"stage":"filled"}',
])('opening: the text %s → none', (text) => {
  expect(readOpening(text)).toBeNull();
});

test('opening: a draft of another market → none', () => {
  expect(readOpening(JSON.stringify({ stage: 'draft', draft: { ...draft, market_ticker: 'OTHER' } }))).toBeNull();
});

const owner = { chainId: 1, vault: '0xAb', address: '0xCd' } as const;
const key = (digit: string) => `0x${digit.repeat(64)}` as const;

test('position keys: remembered for their owner, the newest first and each once; other texts are dropped', () => {
  vi.stubGlobal('localStorage', storageOf({}));
  rememberKeys(owner, [key('1')]);
  rememberKeys(owner, [key('2'), key('1')]);
  expect(rememberedKeysOf(owner)).toEqual([key('2'), key('1')]);
  expect(rememberedKeysOf({ ...owner, vault: '0xaB' })).toEqual([key('2'), key('1')]);
  expect(rememberedKeysOf({ ...owner, chainId: 2 })).toEqual([]);
  localStorage.setItem('positions 1 0xab 0xcd', JSON.stringify(['0x12', key('3'), 'x']));
  expect(rememberedKeysOf(owner)).toEqual([key('3')]);
});

test('pages: storage of the browser → read and written by one file', () => {
  const names = globSync('**/*.{ts,tsx}', { cwd: sources });
  const direct = names.filter((name) =>
    /localStorage|sessionStorage|indexedDB/.test(withoutAreas(readFileSync(sources + name, 'utf8'))),
  );
  expect(direct).toEqual(['browserStorage.ts']);
});

/** Return a source without the names of areas that it hands to the one file. */
const withoutAreas = (source: string): string => source.replaceAll(/area: '(local|session)Storage'/g, '');
