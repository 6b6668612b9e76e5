import { raw, usdcUnits } from '@core/pricing';
import { createPositionFieldsOf, vaultAbi } from '@core/vault';
import * as fc from 'fast-check';
import { decodeFunctionData, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { expect, test } from 'vitest';
import {
  offlineUser,
  openPosition,
  type RecordingWallet,
  recordedContracts,
  recordedPins,
  recordedQuote,
  recordingWallet,
  type SentCall,
} from '../../testing/offlineService.ts';
import { type ChainAction, LevError, type LevUser, type Position, type Quote, type Wallet } from '../index.ts';

const stranger = '0x000000000000000000000000000000000000dEaD';
const key = recordedQuote.on_chain_position_key as Hex;
const { vault, usdc } = recordedPins;

/** Calls that each action of the client may send. */
const actions: Readonly<
  Record<
    string,
    { readonly start: (user: LevUser, wallet: Wallet) => ChainAction<Position>; readonly calls: readonly SentCall[] }
  >
> = {
  addMargin: {
    start: ({ positions }, wallet) => positions.addMargin(openPosition, { wallet, amountUsd: '2.5' }),
    calls: [approve(2_500_000n), call('addMargin', [key, 2_500_000n])],
  },
  cancel: {
    start: ({ positions }, wallet) => positions.cancel(openPosition, { wallet }),
    calls: [call('cancelPosition', [key])],
  },
  claim: {
    start: ({ positions }, wallet) => positions.claim(openPosition, { wallet }),
    calls: [call('claim', [key])],
  },
  close: {
    start: ({ positions }, wallet) => positions.close(openPosition, { wallet, minPriceUsd: '0.25' }),
    calls: [call('requestClose', [key, 2n ** 256n - 1n, 2_500n])],
  },
  closePart: {
    start: ({ positions }, wallet) => positions.closePart(openPosition, { wallet, tokens: '30', minPriceUsd: '0.25' }),
    calls: [call('requestClose', [key, 30_000_000n, 2_500n])],
  },
  withdrawClose: {
    start: ({ positions }, wallet) => positions.withdrawClose(openPosition, { wallet }),
    calls: [call('requestClose', [key, 0n, 0n])],
  },
  exit: {
    start: ({ positions }, wallet) => positions.exit(openPosition, { wallet, to: stranger }),
    // 40.000017 USD owed, a tenth of a percent and a unit.
    calls: [approve(40_040_018n), call('exitByRepaying', [key, stranger])],
  },
  open: {
    start: ({ positions }, wallet) => positions.open(recordedQuote, wallet),
    calls: openingOf(recordedQuote),
  },
};

function approve(units: bigint): SentCall {
  return {
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vault as Hex, units] }),
  };
}

function call(functionName: string, args: readonly unknown[]): SentCall {
  return { to: vault, data: encodeFunctionData({ abi: vaultAbi, functionName, args } as never) };
}

/** Return the opening of a recorded quote, as the service built it. */
function openingOf({ transaction }: Quote): readonly SentCall[] {
  if (transaction === undefined) throw new Error('the recorded quote has its transaction');
  return [
    approve(BigInt(recordedQuote.total_user_amount_usdc_units)),
    { to: transaction.to, data: transaction.data as Hex },
  ];
}

const plain = (calls: readonly SentCall[]): readonly string[] =>
  calls.map(({ to, data }) => `${to} ${data}`.toLowerCase());

/** Return the error of an action, or null when it succeeded. */
async function failureOf(action: PromiseLike<unknown>): Promise<unknown> {
  try {
    await action;
    return null;
  } catch (cause) {
    return cause;
  }
}

/** Return the calls that a wallet has sent, or `refused` when the client threw before the first. */
function outcomeOf({ sent }: RecordingWallet, failure: unknown): string {
  return sent.length === 0 && failure instanceof LevError ? 'refused' : plain(sent).join();
}

/** Mutation of a document: one value is replaced, removed or doubled. */
interface Mutation {
  readonly path: readonly string[];
  readonly kind: 'replace' | 'remove' | 'append';
  readonly value: unknown;
}

const pathsOf = (node: unknown, path: readonly string[] = []): readonly (readonly string[])[] =>
  typeof node === 'object' && node !== null
    ? Object.entries(node).flatMap(([name, part]) => [[...path, name], ...pathsOf(part, [...path, name])])
    : [];

function mutated<T>(document: T, mutations: readonly Mutation[]): T {
  const copy = structuredClone(document);
  for (const { path, kind, value } of mutations) {
    let node: unknown = copy;
    for (const name of path.slice(0, -1))
      node = typeof node === 'object' && node !== null ? Reflect.get(node, name) : null;
    if (typeof node !== 'object' || node === null) continue;
    const name = path.at(-1) ?? '';
    const before: unknown = Reflect.get(node, name);
    if (kind === 'remove') Reflect.deleteProperty(node, name);
    else if (kind === 'append' && Array.isArray(before)) before.push(...before, value);
    else Reflect.set(node, name, value);
  }
  return copy;
}

const mutationsOf = (document: object): fc.Arbitrary<readonly Mutation[]> =>
  fc.array(
    fc.record({
      path: fc.constantFrom(...pathsOf(document)),
      kind: fc.constantFrom('replace', 'remove', 'append'),
      value: fc.oneof(
        fc.constantFrom(stranger, '0', '999999999999', '-1', '0x', '', 'yes', '1', null, 0, -1, 1e9, true, {}, []),
        fc.constantFrom({ token: stranger, spender: stranger, units: '999999999999' }, recordedQuote.transaction?.data),
        fc.nat({ max: 20_000 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  );

test('every action: sends exactly the calls that its arguments imply, on the chain of the vault', async () => {
  for (const [name, { start, calls }] of Object.entries(actions)) {
    const wallet = recordingWallet();
    // A part is sold of a position that the service shows as active.
    const positions = [name === 'closePart' ? openPosition : { ...openPosition, status: 'closed', current: undefined }];
    await failureOf(start(offlineUser({ positions }, { pinned: recordedPins }), wallet));
    expect(plain(wallet.sent)).toEqual(plain(calls));
    expect(wallet.sent.map(({ chainId }) => chainId)).toEqual(calls.map(() => '0x7a69'));
  }
});

test('open: a mutated quote → only the verified calls leave the wallet, every refusal has a code', async () => {
  await fc.assert(
    fc.asyncProperty(mutationsOf(recordedQuote), async (mutations) => {
      const wallet = recordingWallet();
      const quote = mutated(recordedQuote, mutations);
      const failure = await failureOf(offlineUser().positions.open(quote, wallet));
      expect(outcomeOf(wallet, failure)).toBeOneOf(['refused', plain(openingOf(recordedQuote)).join()]);
    }),
    { numRuns: 400 },
  );
});

test('every action of a pinned client: mutated contract info → the verified calls, or none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(actions)),
      mutationsOf(recordedContracts),
      async ({ start, calls }, mutations) => {
        const wallet = recordingWallet();
        const contractInfo = mutated(recordedContracts, mutations);
        const failure = await failureOf(start(offlineUser({ contractInfo }, { pinned: recordedPins }), wallet));
        expect(outcomeOf(wallet, failure)).toBeOneOf(['refused', plain(calls).join()]);
      },
    ),
    { numRuns: 200 },
  );
});

test('every action: mutated positions of the service → the verified calls, or none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(actions)),
      mutationsOf(openPosition),
      async ({ start, calls }, mutations) => {
        const wallet = recordingWallet();
        const positions = [mutated(openPosition, mutations)];
        await failureOf(start(offlineUser({ positions }, { pinned: recordedPins }), wallet));
        expect(plain(wallet.sent)).toEqual(plain(calls));
      },
    ),
    { numRuns: 200 },
  );
});

test('every action: a wallet on another chain → WrongChainError, nothing is signed', async () => {
  for (const { start } of Object.values(actions)) {
    for (const wallet of [
      recordingWallet({ eth_chainId: () => '0x1', eth_call: () => '0x' }),
      { ...recordingWallet(), chain: { id: 1 } },
    ]) {
      const failure = await failureOf(start(offlineUser(), wallet));
      expect(failure).toMatchObject({ code: 'wrong_chain', need: 31_337, have: 1 });
      expect(String(failure)).toContain('switch it to chain 31337');
      expect(wallet.methods.filter((method) => method !== 'eth_chainId')).toEqual([]);
    }
  }
});

test.each<[string, (quote: Quote) => Quote, string]>([
  [
    'a second approval',
    (quote) => ({
      ...quote,
      transaction: {
        ...(quote.transaction as NonNullable<Quote['transaction']>),
        approvals: [...(quote.transaction?.approvals ?? []), { token: usdc, spender: stranger, units: '999999999999' }],
      },
    }),
    'transaction.approvals.length',
  ],
  ['no basis', ({ basis: _basis, ...quote }) => quote, 'basis'],
  [
    'another transaction and no basis',
    ({ basis: _basis, ...quote }) => ({
      ...quote,
      transaction: { ...(quote.transaction as NonNullable<Quote['transaction']>), to: stranger },
    }),
    'basis',
  ],
])('open: a quote with %s → refused before the wallet is asked', async (_name, change, field) => {
  const wallet = recordingWallet();
  const opening = offlineUser().positions.open(change(recordedQuote), wallet);
  expect(await failureOf(opening)).toMatchObject({ code: 'quote_not_verified', field });
  await expect(opening.transactions()).rejects.toMatchObject({ code: 'quote_not_verified', field });
  expect(wallet.sent).toEqual([]);
});

test('open: a quote without its transaction → the same calls', async () => {
  const { transaction: _transaction, ...quote } = recordedQuote;
  const calls = await offlineUser().positions.open(quote).transactions();
  expect(plain(calls as readonly SentCall[])).toEqual(plain(openingOf(recordedQuote)));
});

test('open: the allowance equals collateral and fees of the signed values', async () => {
  const [approval] = await offlineUser().positions.open(recordedQuote).transactions();
  const { args } = decodeFunctionData({ abi: erc20Abi, data: (approval?.data ?? '0x') as Hex });
  const { collateralUsdcUnits, notionalUsdcUnits, originationFeeBps } = createPositionFieldsOf(recordedQuote);
  const fee = (raw(notionalUsdcUnits) * raw(originationFeeBps)) / 10_000n;
  const trading = raw(usdcUnits(BigInt(recordedQuote.expected_open_trading_fee_usdc_units)));
  expect(args).toEqual([vault, raw(collateralUsdcUnits) + fee + trading]);
});

test('open: a quote that changes during verification → the calls of the original quote', async () => {
  const wallet = recordingWallet();
  const quote = structuredClone(recordedQuote) as { -readonly [Name in keyof Quote]: Quote[Name] };
  const opening = failureOf(offlineUser().positions.open(quote, wallet));
  await Promise.resolve();
  quote.min_expected_position_token_units = '1';
  quote.venue_vault_contract_address = stranger;
  await opening;
  expect([[], plain(openingOf(recordedQuote))]).toContainEqual(plain(wallet.sent));
});

test('pins: each malformed pin is refused at construction', () => {
  for (const [field, value] of [
    ['chainId', 0],
    ['vault', '0x1'],
    ['usdc', undefined],
    ['signer', 'alice'],
  ]) {
    const pinned = { ...recordedPins, [String(field)]: value } as typeof recordedPins;
    expect(() => offlineUser({}, { pinned })).toThrow(
      expect.objectContaining({ code: 'invalid_input', field: `pinned.${field}`, value }),
    );
  }
});
