import { inspect } from 'node:util';
import { encodeAbiParameters, keccak256, recoverAddress, toHex } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import { type Reply, type SeenRequest, startLocalServer } from '../../testing/localServers.ts';
import { isVenueFault } from '../port/venueFault.ts';
import {
  type CredentialRequest,
  type CredentialTerms,
  credentialRequestMessageOf,
  privateSignatureOf,
} from './credentialSigning.ts';
import { DerivedCredentials } from './derivedCredentials.ts';
import { HttpVenueClient } from './httpVenueClient.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) {
    await end();
  }
});

const terms: CredentialTerms = {
  chainId: 137,
  domain: { name: 'Authentication', version: '1' },
  structName: 'Request',
  statement: 'I am the account.',
  headerPrefix: 'X_',
};
const privateKey = `0x${'42'.repeat(32)}` as const;
const { address } = privateKeyToAccount(privateKey);
const secret = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const answer = { apiKey: 'key-1', secret, passphrase: 'pass-1' };

const hashOf = (request: CredentialRequest) => keccak256(credentialRequestMessageOf(terms, request));

const account = {
  address,
  signMessage: (message: Uint8Array) => sign({ hash: keccak256(message), privateKey, to: 'hex' }),
};

const setup = async (reply: (request: SeenRequest) => Reply) => {
  const server = await startLocalServer({ reply });
  endings.push(() => server.close());
  const options = { url: server.url, retry: { maxAttempts: 1 } };
  const credentials = new DerivedCredentials({ ...options, account, terms, nowMs: () => 1_700_000_000_999 });
  return { server, credentials, client: new HttpVenueClient({ ...options, credentials }) };
};

describe('what is signed', () => {
  test('the request for credentials is the EIP-712 digest of its four fields', () => {
    const text = (value: string) => keccak256(toHex(value));
    const domain = keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }],
        [
          text('EIP712Domain(string name,string version,uint256 chainId)'),
          text(terms.domain.name),
          text(terms.domain.version),
          137n,
        ],
      ),
    );
    const struct = keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'address' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'bytes32' }],
        [
          text('Request(address address,string timestamp,uint256 nonce,string message)'),
          address,
          text('1700000000'),
          3n,
          text(terms.statement),
        ],
      ),
    );
    expect(hashOf({ address, timestampSeconds: '1700000000', nonce: 3n })).toBe(
      keccak256(`0x1901${domain.slice(2)}${struct.slice(2)}`),
    );
  });

  // Computed apart with Python's hmac and base64.urlsafe_b64encode.
  test.each([
    ['1700000000', 'GET', '/data/trades', '', 'e0u1dTRxbhwIlvGbculh31zUJg5fTFWzAZwYSYQcVE0='],
    ['1700000000', 'POST', '/order', '{"a":1}', 'uBmRP7BjQtWls1fT877WgPByC-SiSnPQJFihV7H5eUM='],
    ['1700000003', 'GET', '/data/order/0x01', '', 'V9WG1w5hSgjkX6A0wvAbfNvEKeZ2U5X4ANIbJ4P-PXI='],
  ] as const)('at %s %s %s', (...[timestampSeconds, method, path, body, signature]) => {
    expect(privateSignatureOf(secret, timestampSeconds, { method, path, body })).toBe(signature);
  });

  test('a secret in plain and in url-safe base64 is the same secret', () => {
    const request = { method: 'GET', path: '/data/trades', body: '' } as const;
    expect(privateSignatureOf('-_-_', '1', request)).toBe(privateSignatureOf('+/+/', '1', request));
  });
});

describe('credentials', () => {
  test('are derived once from the account’s signature and sign every private request', async () => {
    const { server, client } = await setup(({ path }) =>
      path === '/auth/derive-api-key' ? { json: answer } : { json: [] },
    );
    await Promise.all([client.trades({ tradeId: 't1' }), client.trades({ tradeId: 't2' })]);
    const [derived, ...asked] = server.requests;
    expect(derived).toMatchObject({ method: 'GET', path: '/auth/derive-api-key' });
    expect(derived?.headers).toMatchObject({ x_address: address, x_timestamp: '1700000000', x_nonce: '0' });
    const signature = String(derived?.headers['x_signature']) as `0x${string}`;
    const hash = hashOf({ address, timestampSeconds: '1700000000', nonce: 0n });
    expect(await recoverAddress({ hash, signature })).toBe(address);
    expect(asked.map(({ path }) => path)).toEqual(['/data/trades', '/data/trades']);
    // The query is not signed.
    expect(asked[0]?.headers).toMatchObject({
      x_address: address,
      x_timestamp: '1700000000',
      x_api_key: 'key-1',
      x_passphrase: 'pass-1',
      x_signature: 'e0u1dTRxbhwIlvGbculh31zUJg5fTFWzAZwYSYQcVE0=',
    });
  });

  test('public requests carry none and ask for none', async () => {
    const { server, client } = await setup(() => ({ json: [] }));
    await client.topHolders('0xc0');
    expect(server.requests.map(({ path }) => path)).toEqual(['/holders']);
    expect(Object.keys(server.requests[0]?.headers ?? {}).filter((name) => name.startsWith('x_'))).toEqual([]);
  });

  test.each([404, 400])('an account without a key (%i) is given its first', async (status) => {
    const { server, credentials } = await setup(({ method }) =>
      method === 'POST' ? { json: answer } : { status, json: { error: 'no key yet' } },
    );
    await expect(credentials.credentials()).resolves.toMatchObject(answer);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /auth/derive-api-key',
      'POST /auth/api-key',
    ]);
  });

  test('refused credentials are forgotten and requested again; the fault is thrown', async () => {
    let refusals = 1;
    const { server, client } = await setup(({ path }) => {
      if (path === '/auth/derive-api-key') {
        return { json: answer };
      }
      refusals -= 1;
      return refusals === 0 ? { status: 401, json: { error: 'Unauthorized/Invalid api key' } } : { json: [] };
    });
    await expect(client.trades({ tradeId: 't1' })).rejects.toMatchObject({
      code: 'credentials_refused',
      kind: 'frozen',
    });
    await expect(client.trades({ tradeId: 't1' })).resolves.toEqual([]);
    expect(server.requests.filter(({ path }) => path === '/auth/derive-api-key')).toHaveLength(2);
  });

  test('missing credentials are requested again by the next request', async () => {
    let isDown = true;
    const { client } = await setup(({ path }) => {
      if (path !== '/auth/derive-api-key') {
        return { json: [] };
      }
      return isDown ? { status: 503, json: {} } : { json: answer };
    });
    await expect(client.trades({ tradeId: 't1' })).rejects.toMatchObject({ code: 'venue_unavailable' });
    isDown = false;
    await expect(client.trades({ tradeId: 't1' })).resolves.toEqual([]);
  });

  test.each<[string, Reply]>([
    ['an answer that is cut off', { text: `{"apiKey":"key-1","secret":"${secret}"` }],
    ['an answer that lacks a field', { json: { apiKey: 'key-1', secret } }],
    ['a refusal that repeats it', { status: 418, text: `no: ${secret}` }],
  ])('never reach a fault’s message or cause: %s', async (_name, reply) => {
    const { credentials } = await setup(() => reply);
    const fault = await credentials.credentials().catch((error: unknown) => error);
    expect(isVenueFault(fault)).toBe(true);
    expect(inspect(fault, { depth: 10 })).not.toContain(secret);
  });

  test('are not shown when their holder is printed', async () => {
    const { credentials } = await setup(() => ({ json: answer }));
    await credentials.credentials();
    expect(inspect(credentials, { depth: 10, showHidden: true }) + JSON.stringify(credentials)).not.toContain(secret);
  });
});
