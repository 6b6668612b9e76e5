import { keyFileOf } from '@core/runtime/testing';
import { expect, test } from 'vitest';
import { configOfEnv } from './env.ts';
import { failpointMoments, failpointNamed } from './transactions/failpoint.ts';

test('failpoint: other names than the configured one do nothing', () => {
  const failpoint = failpointNamed('settle:after_sign');
  expect(() => failpointMoments.forEach((moment) => failpoint('refund', moment))).not.toThrow();
  expect(() => failpointNamed(null)('settle', 'after_sign')).not.toThrow();
  const { failpoint: unset } = configOfEnv({ ...environment, NODE_ENV: 'test', FAILPOINT: '' }).config;
  expect(unset?.('settle', 'after_sign')).toBe(undefined);
});

const address = `0x${'11'.repeat(20)}`;
const environment = {
  DATABASE_URL: 'postgres://127.0.0.1/x',
  RPC_URL: 'http://127.0.0.1:1',
  CHAIN_ID: '31337',
  VAULT_ADDRESS: address,
  POOL_ADDRESS: address,
  EXCHANGE_ADDRESS: address,
  CONDITIONAL_TOKENS_ADDRESS: address,
  USDC_ADDRESS: address,
  VENUE_URL: 'http://127.0.0.1:2',
  VENUE_MARKET_SOCKET_URL: 'ws://127.0.0.1:2/ws/market',
  PRICE_SIGNER_URLS: 'http://127.0.0.1:3,http://127.0.0.1:4',
  PRICE_SIGNER_SECRETS: 'sixteen characters,seventeen letters',
  KEEPER_KEY_FILE: keyFileOf(`0x${'22'.repeat(32)}`),
  ORACLE_ADDRESSES: `${address}, ${address}`,
};

test('env: reads every variable, and names invalid ones', () => {
  const { config, key, logLevel } = configOfEnv(environment);
  expect(config).toMatchObject({ chainId: 31_337, deploymentBlock: 0n, oracles: [address, address], finality: 0n });
  expect(logLevel).toBe('info');
  expect(key).toEqual({ kind: 'file', privateKey: `0x${'22'.repeat(32)}` });
  expect(config).toMatchObject({ maxHeadAgeMs: 20_000, maxNonceAgeMs: 30_000 });
  expect(() => configOfEnv({ ...environment, KEEPER_METRICS_PROT: '1' })).toThrow('did you mean KEEPER_METRICS_PORT?');
  expect(() => configOfEnv({ ...environment, FAILPOINT: 'after_sign' })).toThrow(/FAILPOINT must be/);
  const { RPC_URL: _, ...incomplete } = environment;
  expect(() => configOfEnv({ ...incomplete, VAULT_ADDRESS: '0x1' })).toThrow(
    /RPC_URL[\s\S]*VAULT_ADDRESS|VAULT_ADDRESS[\s\S]*RPC_URL/,
  );
});

test('env: refuses a key in the environment, and a file without a key', () => {
  const { KEEPER_KEY_FILE: file, ...rest } = environment;
  const key = `0x${'22'.repeat(32)}`;
  expect(() => configOfEnv(rest)).toThrow(/KEEPER_KEY_FILE is missing/);
  expect(() => configOfEnv({ ...environment, KEEPER_PRIVATE_KEY: key })).toThrow(/KEEPER_PRIVATE_KEY is no setting/);
  expect(() => configOfEnv({ ...rest, KEEPER_KEY_FILE: `${file}.gone` })).toThrow(/readable file/);
  expect(() => configOfEnv({ ...rest, KEEPER_KEY_FILE: keyFileOf('no key') })).toThrow(/a private key/);
});

test('env: each price signer has its own secret', () => {
  expect(configOfEnv(environment).config.priceSigners).toEqual([
    { url: 'http://127.0.0.1:3', secret: 'sixteen characters' },
    { url: 'http://127.0.0.1:4', secret: 'seventeen letters' },
  ]);
  const one = { ...environment, PRICE_SIGNER_SECRETS: 'sixteen characters' };
  expect(() => configOfEnv(one)).toThrow(/one secret for each/);
});

test('env: off the local chain the first block and the depth of reorganisations are required', () => {
  const elsewhere = { ...environment, CHAIN_ID: '137' };
  expect(() => configOfEnv(elsewhere)).toThrow(/^DEPLOYMENT_BLOCK is missing: .+ CHAIN_ID is 137$/);
  expect(() => configOfEnv({ ...elsewhere, DEPLOYMENT_BLOCK: '70' })).toThrow(/^FINALITY_DEPTH is missing/);
  const { config } = configOfEnv({ ...elsewhere, DEPLOYMENT_BLOCK: '70', FINALITY_DEPTH: '128' });
  expect(config).toMatchObject({ deploymentBlock: 70n, finality: 128n });
  const tagged = configOfEnv({ ...elsewhere, DEPLOYMENT_BLOCK: '70', FINALITY_DEPTH: 'finalized' });
  expect(tagged.config.finality).toBe('finalized');
  expect(() => configOfEnv({ ...environment, FINALITY_DEPTH: 'latest' })).toThrow(
    /FINALITY_DEPTH must be .+ finalized/,
  );
});
