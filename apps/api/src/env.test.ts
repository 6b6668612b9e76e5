import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnv } from './env.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'api-env-'));
const signerKey = `0x${'1'.repeat(64)}`;
const environment = {
  DATABASE_URL: 'postgres://127.0.0.1/none',
  RPC_URL: 'http://127.0.0.1:8545',
  CHAIN_ID: '31337',
  VAULT_ADDRESS: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  POOL_ADDRESS: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  USDC_ADDRESS: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  VENUE_URL: 'http://127.0.0.1:8090',
  QUOTE_SIGNER_KEY_FILE: path.join(folder, 'signer.key'),
  TOKEN_KEYS_FILE: path.join(folder, 'tokens.json'),
};

beforeAll(() => {
  writeFileSync(environment.QUOTE_SIGNER_KEY_FILE, `${signerKey}\n`);
  writeFileSync(environment.TOKEN_KEYS_FILE, '{"keys":[]}');
});
afterAll(() => rmSync(folder, { recursive: true }));

function problemsOf(variables: Readonly<Record<string, string | undefined>>): string {
  try {
    readEnv(variables);
  } catch (error) {
    if (error instanceof FriendlyError) return error.message;
    throw error;
  }
  return '';
}

describe('the environment', () => {
  test('gets its defaults, checksummed addresses and secrets from files', () => {
    expect(readEnv(environment)).toMatchObject({
      config: {
        listenHost: '127.0.0.1',
        port: 8080,
        metricsPort: null,
        environment: 'sandbox',
        contracts: { vault: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
        switches: { isQuoteCreationEnabled: true, isPartialOpenEnabled: true },
      },
      policy: { quote: { windowSeconds: 15 } },
      venueHosts: { url: 'http://127.0.0.1:8090', marketSocketUrl: 'ws://127.0.0.1:8090/ws/market' },
      reference: { kind: 'http', url: 'http://127.0.0.1:8090' },
      clockUrl: null,
      quoteKey: { kind: 'file', privateKey: signerKey },
    });
  });

  test('names every variable at fault and shows no value', () => {
    const text = problemsOf({
      ...environment,
      CHAIN_ID: 'secret-a',
      VAULT_ADDRESS: 'secret-b',
      DATABASE_URL: undefined,
    });
    for (const name of ['CHAIN_ID', 'VAULT_ADDRESS', 'DATABASE_URL']) expect(text).toContain(name);
    expect(text).not.toContain('secret');
  });

  test.each([
    ['test', 'before_answer'],
    ['production', 'after_reserve'],
    [undefined, 'after_reserve'],
  ] as const)('with NODE_ENV %s the process survives %s', (nodeEnv, moment) => {
    const { config } = readEnv({ ...environment, NODE_ENV: nodeEnv, FAILPOINT: 'after_reserve' });
    expect(() => config.failpoint?.(moment)).not.toThrow();
  });

  test('overrides: window, proxies, switches', () => {
    const overrides = { QUOTE_WINDOW_SECONDS: '60', TRUST_PROXY: '10.0.0.1,10.0.0.2', QUOTE_CREATION_ENABLED: 'false' };
    expect(readEnv({ ...environment, ...overrides })).toMatchObject({
      policy: { quote: { windowSeconds: 60 } },
      config: { trustProxy: ['10.0.0.1', '10.0.0.2'], switches: { isQuoteCreationEnabled: false } },
    });
  });

  test.each([
    [undefined, []],
    ['', []],
    ['https://shop.example,http://127.0.0.1:5173', ['https://shop.example', 'http://127.0.0.1:5173']],
    ['http://localhost:*', ['http://localhost:*']],
  ])('CORS_ORIGINS %j lets in %j', (text, corsOrigins) => {
    expect(readEnv({ ...environment, CORS_ORIGINS: text })).toMatchObject({ config: { corsOrigins } });
  });

  test.each([
    '*',
    'https://shop.example:*',
    'shop.example',
    'https://shop.example/',
    'https://SHOP.example',
    'null',
    'file://shop.example',
  ])('%s is no origin', (text) => {
    expect(problemsOf({ ...environment, CORS_ORIGINS: text })).toContain('CORS_ORIGINS');
  });

  test.each([
    ['QUOTE_WINDOW_SECOND', 'did you mean QUOTE_WINDOW_SECONDS?'],
    ['CORS_ORIGIN', 'did you mean CORS_ORIGINS?'],
  ])('the unknown setting %s is one line', (name, advice) => {
    const text = problemsOf({ ...environment, [name]: '30' });
    expect(text).toContain(`${name} is no setting of api: ${advice}`);
    expect(text).not.toContain('\n');
  });

  test('a key file that holds no key is an error that does not show it', () => {
    writeFileSync(environment.QUOTE_SIGNER_KEY_FILE, 'secret words');
    expect(() => readEnv(environment)).toThrow(/QUOTE_SIGNER_KEY_FILE/);
    expect(() => readEnv(environment)).not.toThrow(/secret words/);
  });
});
