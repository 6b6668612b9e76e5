import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rpcOf } from '../src/chain/rpc.ts';
import { Lev, LevError, type Requirement, ticketOf, verifyQuote } from '../src/index.ts';
import {
  offlineUser,
  openPosition,
  recordedContracts,
  recordedPins,
  recordedQuote,
  recordingWallet,
} from '../testing/offlineService.ts';

const key = openPosition.on_chain_position_key;
const account = recordedQuote.authority_public_key;
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const order = { ticker: 'btc-up', side: 'yes', leverage: '2', notionalUsd: '100' } as const;
const { basis: _basis, ...withoutBasis } = recordedQuote;
/** Pass an argument that a JavaScript caller may pass in spite of its type. */
const untyped = (value: unknown): never => value as never;
const draft = untyped({ ...recordedQuote, contract_signature: '', position_seed: '', position_seed_hex: '' });

/** Server of another kind of service. */
const strangeServer = createServer((_request, response) => {
  response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
});
/** Host that redirects every request to another origin, and the requests that reached that origin. */
const redirected: string[] = [];
const targetServer = createServer(({ method, url }, response) => {
  redirected.push(`${method} ${url}`);
  response.writeHead(404).end();
});
const redirectingServer = createServer(({ url, headers }, response) => {
  const status = Number(headers['x-status'] ?? 301);
  response.writeHead(status, { location: `${targetUrl}${url}` }).end();
});
let strangeUrl = '';
let redirectingUrl = '';
let targetUrl = '';
let closedUrl = '';

beforeAll(async () => {
  const portOf = async (server: ReturnType<typeof createServer>): Promise<string> => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  strangeUrl = await portOf(strangeServer);
  redirectingUrl = await portOf(redirectingServer);
  targetUrl = await portOf(targetServer);
  const closedServer = createServer();
  closedUrl = await portOf(closedServer);
  await new Promise((resolve) => closedServer.close(resolve));
});
afterAll(() => {
  for (const server of [strangeServer, redirectingServer, targetServer]) server.close();
});

/** Build the requests to a node, without a deadline. */
const nodeAt = (url: string, fetcher: typeof fetch) =>
  rpcOf(url, { fetch: fetcher, deadline: () => new AbortController().signal });

/** Build a user whose service refuses each quote with one code and its params. */
const refusedUser = (code: string, message: string, params: object) =>
  offlineUser(
    {},
    { surroundings: { fetch: async () => Response.json({ error: { code, message, params } }, { status: 422 }) } },
  );

interface Provoked {
  readonly act: () => unknown;
  readonly code: string;
  readonly field?: string;
  /** Pattern of the figure or name, and of the remedy, in the message. */
  readonly says: RegExp;
}

const rows: Readonly<Record<string, Provoked>> = {
  'a base address that is none': {
    act: () => new Lev({ baseUrl: 'localhost' }),
    code: 'invalid_input',
    field: 'baseUrl',
    says: /`baseUrl` must be an address/,
  },
  'a misspelt option of the client': {
    act: () => new Lev(untyped({ baseUrl: 'http://service.test', key: 'x' })),
    code: 'invalid_input',
    field: 'key',
    says: /no option `key`.*apiKey/,
  },
  'a wrong host': {
    act: () => new Lev({ baseUrl: strangeUrl }).contractInfo(),
    code: 'wrong_base_url',
    says: /http:\/\/127\.0\.0\.1:\d+\S* is not this API \(404\)\. Check `baseUrl`\./,
  },
  'a host that redirects': {
    act: () => new Lev({ baseUrl: redirectingUrl, apiKey: 'key' }).tokens.create({ wallet_address: account }),
    code: 'wrong_base_url',
    says: /http:\S+\/tokens redirects to http:\S+\/tokens\. Give the address of the service itself as `baseUrl`\./,
  },
  'a node that redirects': {
    act: () => nodeAt(redirectingUrl, fetch)('eth_call', []),
    code: 'network_failed',
    says: /http:\S+ redirects eth_call to http:\S+: give the address of the node itself/,
  },
  'a dead host': {
    act: () => new Lev({ baseUrl: closedUrl, surroundings: { sleep: async () => undefined } }).contractInfo(),
    code: 'network_failed',
    says: /http:\/\/127\.0\.0\.1:\d+\S* was not answered: .*ECONNREFUSED.*Check `baseUrl`/,
  },
  'a token source that is no function': {
    act: () => new Lev({ baseUrl: strangeUrl }).asUser(untyped(undefined)),
    code: 'invalid_input',
    field: 'asUser',
    says: /token/,
  },
  'a leverage between two steps': {
    act: () => offlineUser().quotes.draft({ ...order, leverage: '2.3' }),
    code: 'invalid_input',
    field: 'leverage',
    says: /steps of 0\.25x: `leverage` can be '2\.25' or '2\.5', not '2\.3'/,
  },
  'a side in capitals': {
    act: () => offlineUser().quotes.draft(untyped({ ...order, side: 'YES' })),
    code: 'invalid_input',
    field: 'side',
    says: /must be 'yes' or 'no', not "YES"/,
  },
  'a number as money': {
    act: () => offlineUser().quotes.draft(untyped({ ...order, notionalUsd: 100 })),
    code: 'invalid_input',
    field: 'notionalUsd',
    says: /`notionalUsd` must be text such as '100', not a number/,
  },
  'a missing size': {
    act: () => offlineUser().quotes.draft(untyped({ ticker: 't', side: 'yes', leverage: '2' })),
    code: 'invalid_input',
    field: 'notionalUsd',
    says: /`notionalUsd` is missing/,
  },
  'a size with too many decimals': {
    act: () => offlineUser().quotes.draft({ ...order, notionalUsd: '1.00001' }),
    code: 'invalid_input',
    field: 'notionalUsd',
    says: /with up to 4 decimals, .* not '1\.00001'/,
  },
  'a misspelt option of an order': {
    act: () => offlineUser().quotes.draft(untyped({ ...order, slippage: 5 })),
    code: 'invalid_input',
    field: 'slippage',
    says: /no option `slippage`.*`slippageBps`/,
  },
  'a misspelt field of a request': {
    act: () => offlineUser().quotes.draft(untyped({ market_ticker: 't', effective_side: 'yes', slipage_bps: 5 })),
    code: 'invalid_input',
    field: 'slipage_bps',
    says: /no option `slipage_bps`/,
  },
  'no order': {
    act: () => offlineUser().quotes.draft(untyped(undefined)),
    code: 'invalid_input',
    field: 'order',
    says: /takes an object/,
  },
  'a part given to a whole close': {
    act: () => offlineUser().positions.close(key, untyped({ minPriceUsd: '0.1', tokens: '50' })),
    code: 'invalid_input',
    field: 'tokens',
    says: /`close` has no option `tokens`.*`closePart`/,
  },
  'a close without its options': {
    act: () => offlineUser().positions.close(key, untyped(undefined)),
    code: 'invalid_input',
    field: 'close',
    says: /takes an object with wallet, minPriceUsd/,
  },
  'a part of no tokens': {
    act: () => offlineUser().positions.closePart(key, { wallet: recordingWallet(), tokens: '0', minPriceUsd: '0.1' }),
    code: 'invalid_input',
    field: 'tokens',
    says: /above 0/,
  },
  'a margin of nothing': {
    act: () => offlineUser().positions.addMargin(key, { wallet: recordingWallet(), amountUsd: '0' }),
    code: 'invalid_input',
    field: 'amountUsd',
    says: /`amountUsd` must be above 0/,
  },
  'a leverage as a number': {
    act: () => offlineUser().quotes.draft(untyped({ ...order, leverage: 2 })),
    code: 'invalid_input',
    field: 'leverage',
    says: /`leverage` must be text such as '2', not a number/,
  },
  'a price above one dollar': {
    act: () => offlineUser().positions.close(key, { wallet: recordingWallet(), minPriceUsd: '40' }),
    code: 'invalid_input',
    field: 'minPriceUsd',
    says: /not above 1/,
  },
  'no position': {
    act: () => offlineUser().positions.claim(untyped(undefined), { wallet: recordingWallet() }),
    code: 'invalid_input',
    field: 'position',
    says: /on_chain_position_key/,
  },
  'an exit to no address': {
    act: () => offlineUser().positions.exit(key, { wallet: recordingWallet(), to: 'alice' }),
    code: 'invalid_input',
    field: 'to',
    says: /address/,
  },
  'no wallet': {
    act: () => offlineUser().positions.claim(key),
    code: 'invalid_input',
    field: 'wallet',
    says: /Give a `wallet`/,
  },
  'a wallet without an account': {
    act: () => offlineUser().positions.claim(key, { wallet: { request: async () => '0x7a69' } }),
    code: 'invalid_input',
    field: 'wallet.account',
    says: /account: \{ address \}/,
  },
  'a wallet on another chain': {
    act: () => offlineUser().positions.open(recordedQuote, recordingWallet({ eth_chainId: () => '0x89' })),
    code: 'wrong_chain',
    says: /on chain 137: switch it to chain 31337/,
  },
  'a wallet that has no gas': {
    act: () =>
      offlineUser().positions.claim(key, {
        wallet: recordingWallet({
          eth_sendTransaction: () => {
            throw Object.assign(new Error('insufficient funds for gas * price + value'), { code: -32_000 });
          },
        }),
      }),
    code: 'transaction_not_sent',
    says: /too little of the native coin for gas\. Send it some/,
  },
  'the quote of another wallet': {
    act: () => offlineUser().positions.open(recordedQuote, { ...recordingWallet(), account: { address: other } }),
    code: 'quote_not_verified',
    field: 'authority_public_key',
    says: new RegExp(`This quote is for ${account}, your wallet is ${other}\\.`),
  },
  'a draft in place of a quote': {
    act: () => offlineUser().positions.open(draft, recordingWallet()),
    code: 'quote_not_verified',
    field: 'contract_signature',
    says: /This is a draft\. Call `quotes\.promote\(draft\)` first\./,
  },
  'no market': {
    act: () => offlineUser().markets.get(untyped(undefined)),
    code: 'invalid_input',
    field: 'ticker',
    says: /`ticker` is missing\. Take it from a market\./,
  },
  'no draft': {
    act: () => offlineUser().quotes.promote(untyped({})),
    code: 'invalid_input',
    field: 'draft',
    says: /`draft` is missing/,
  },
  'a position without its ID': {
    act: () => offlineUser().positions.get(untyped(undefined)),
    code: 'invalid_input',
    field: 'id',
    says: /`id` is missing/,
  },
  'a key that is none': {
    act: () => offlineUser().positions.byKey('0x12'),
    code: 'invalid_input',
    field: 'position',
    says: /on_chain_position_key/,
  },
  'a transaction hash that is none': {
    act: () => offlineUser().positions.byTransaction('0x12'),
    code: 'invalid_input',
    field: 'hash',
    says: /must be the hash of a transaction/,
  },
  'no quote': {
    act: () => offlineUser().positions.open(untyped(undefined), recordingWallet()),
    code: 'invalid_input',
    field: 'quote',
    says: /`quotes\.promote`/,
  },
  'a forged quote': {
    act: () => offlineUser().positions.open({ ...recordedQuote, leverage_bps: 20_001 }, recordingWallet()),
    code: 'quote_not_verified',
    field: 'leverage_bps',
    says: /20001 as leverage_bps, expected 20000/,
  },
  'the contracts of another service': {
    act: () => offlineUser({}, { pinned: { ...recordedPins, vault: other } }).contractInfo(),
    code: 'contract_mismatch',
    field: 'polygon_vault_contract_address',
    says: new RegExp(`expected ${other}; nothing was signed`),
  },
  'a ticket of a quote without basis': {
    act: () => ticketOf(withoutBasis),
    code: 'invalid_input',
    field: 'basis',
    says: /expand=basis/,
  },
  'a ticket with a misspelt term': {
    act: () => ticketOf(recordedQuote, untyped({ markPrice: 5_000n })),
    code: 'invalid_input',
    field: 'markPrice',
    says: /no option `markPrice`.*markPricePips/,
  },
  'a ticket of nothing': {
    act: () => ticketOf(untyped(undefined)),
    code: 'invalid_input',
    field: 'basis',
    says: /expand=basis/,
  },
  'a verification with a misspelt expectation': {
    act: () => verifyQuote(recordedQuote, untyped({ account, contractInfo: recordedContracts, slippage: 500 })),
    code: 'invalid_input',
    field: 'slippage',
    says: /no option `slippage`.*slippageBps/,
  },
  'a stream where there are no sockets': {
    act: () => offlineUser().events.stream()[Symbol.asyncIterator]().next(),
    code: 'invalid_input',
    field: 'surroundings.WebSocket',
    says: /This Node has no WebSocket \(Node 22 has\)\. Install `ws`/,
  },
  'a check without a chain': {
    act: () => offlineUser().preflight(recordedQuote, { account }),
    code: 'invalid_input',
    field: 'chain',
    says: /`chain`/,
  },
  'a debt read on another chain': {
    act: () => offlineUser().positions.debt(key, recordingWallet({ eth_call: () => '0x' })),
    code: 'contract_not_found',
    says: /does not answer \w+ on this chain/,
  },
  'a leverage above the maximum': {
    act: () =>
      refusedUser(
        'quote_leverage_exceeds_maximum',
        'The leverage is above the maximum for this size. Lower it to `max_leverage_bps`.',
        { max_leverage_bps: 62_500 },
      ).quotes.draft({ ...order, leverage: '9' }),
    code: 'quote_leverage_exceeds_maximum',
    says: /Lower it to 6\.25x\. Try leverage 6\.25x\.$/,
  },
  'a size below the minimum': {
    act: () =>
      refusedUser(
        'quote_notional_below_minimum',
        'The notional is below the minimum of this market. Raise it to `min_notional_usd_pips`.',
        { min_notional_usd_pips: '50000', notional_usd_pips: '100' },
      ).quotes.draft({ ...order, notionalUsd: '0.01' }),
    code: 'quote_notional_below_minimum',
    says: /Raise it to \$5\.00\. Try notional \$5\.00\.$/,
  },
};

test.each(Object.keys(rows))('%s → a code, and a sentence with the figure and the remedy', async (name) => {
  const { act, code, field, says } = rows[name] as Provoked;
  let failure: unknown;
  try {
    await act();
  } catch (cause) {
    failure = cause;
  }
  expect(failure).toBeInstanceOf(LevError);
  expect(failure).toMatchObject({ code, ...(field !== undefined && { field }) });
  expect((failure as Error).message).toMatch(says);
});

/** Return the names of the unmet requirements of an opening with a wallet. */
async function unmet(...asked: Parameters<typeof unmetOf>) {
  return (await unmetOf(...asked)).map(({ name }) => name);
}

async function unmetOf(
  answers: Parameters<typeof recordingWallet>[0],
  quote = recordedQuote,
  address = account,
): Promise<readonly Requirement[]> {
  const wallet = { ...recordingWallet({ eth_gasPrice: () => '0x3b9aca00', ...answers }), account: { address } };
  const side = { accepting_new_positions: true, rejection_reason_code: null };
  const market = { sided_eligibility: { yes: side, no: side } };
  const user = offlineUser(
    {},
    {
      surroundings: {
        fetch: async (url) => Response.json(String(url).includes('/markets/') ? market : recordedContracts),
      },
    },
  );
  const requirements = await user.preflight(quote, { wallet });
  const missing = requirements.filter(({ isMet }) => !isMet);
  expect(missing.every(({ fix }) => (fix ?? '').endsWith('.'))).toBe(true);
  return missing;
}

/** Answers of a chain on which the wallet has coin, USDC and an allowance; a word of zeros is never `true`. */
const rich = { eth_getBalance: () => '0xde0b6b3a7640000', eth_call: ([call]: readonly unknown[]) => word(call) };
const word = (call: unknown): string =>
  `0x${'0'.repeat(56)}${String(Reflect.get(Object(call), 'to')) === recordedPins.vault ? '00000000' : 'ffffffff'}`;

test('preflight: chain and address of the wallet, gas, balance and kind of quote are requirements', async () => {
  expect(await unmet(rich)).toEqual([]);
  expect(await unmet({ ...rich, eth_chainId: () => '0x1', eth_call: () => '0x' })).toEqual(['chain']);
  expect(await unmet({ ...rich, eth_getBalance: () => '0x0' })).toEqual(['gas']);
  expect(await unmet(rich, recordedQuote, other)).toEqual(['wallet']);
  expect(await unmet(rich, draft)).toEqual([]);
  expect(await unmet(rich, { ...recordedQuote, contract_signature: '0x12' })).toEqual(['quote']);
});

test('preflight: the remedy names what is needed and what the wallet has', async () => {
  const poor = await unmetOf({ ...rich, eth_getBalance: () => '0x0', eth_call: () => `0x${'0'.repeat(64)}` });
  const cost = recordedQuote.total_user_amount_usd;
  expect(poor.map(({ fix }) => fix)).toEqual([
    `The opening costs ${cost} USDC, the wallet has 0.00. Send it more, or lower the size.`,
    'Gas may cost 0.0003 of the native coin, the wallet has 0. Send it more.',
    `Approve ${cost} USDC for the opening.`,
  ]);
});

test('verifyQuote: no quote → not verified', async () => {
  const check = await verifyQuote(untyped(undefined), { account, contractInfo: recordedContracts });
  expect(check).toMatchObject({ verified: false, field: 'quote' });
});

test('verifyQuote: a draft → named by its signature', async () => {
  const check = await verifyQuote(draft, { account, contractInfo: recordedContracts });
  expect(check).toMatchObject({ verified: false, field: 'contract_signature' });
});

test.each([301, 302, 303, 307, 308])(
  'a redirect with %d → nothing is sent on, by the client or to a node',
  async (status) => {
    const surroundings = {
      fetch: (url: Parameters<typeof fetch>[0], init?: RequestInit) => {
        const headers = new Headers(init?.headers);
        headers.set('x-status', String(status));
        return fetch(url, { ...init, headers });
      },
    };
    const lev = new Lev({ baseUrl: redirectingUrl, apiKey: 'key', surroundings });
    await expect(lev.tokens.create({ wallet_address: account })).rejects.toMatchObject({ code: 'wrong_base_url' });
    await expect(lev.limits()).rejects.toMatchObject({ code: 'wrong_base_url' });
    const chain = rpcOf(redirectingUrl, { fetch: surroundings.fetch, deadline: () => new AbortController().signal });
    await expect(chain('eth_chainId', [])).rejects.toMatchObject({ code: 'network_failed' });
    expect(redirected).toEqual([]);
  },
);

test('a page, which cannot read a redirect → wrong_base_url', async () => {
  const opaque = Object.defineProperties(new Response(null), { status: { value: 0 }, ok: { value: false } });
  const user = offlineUser({}, { surroundings: { fetch: async () => opaque } });
  await expect(user.limits()).rejects.toThrow(/redirects to another address\. Give/);
});
