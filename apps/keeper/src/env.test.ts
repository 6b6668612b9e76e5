import { expect, test } from 'vitest';
import { configOfEnv } from './env.ts';
import { failpointMoments, failpointNamed } from './transactions/failpoint.ts';

test('a failpoint that is not the named one does nothing', () => {
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
  KEEPER_PRIVATE_KEY: `0x${'22'.repeat(32)}`,
  ORACLE_ADDRESSES: `${address}, ${address}`,
};

test('the environment is read whole, and its faults are named', () => {
  const { config, logLevel } = configOfEnv(environment);
  expect(config).toMatchObject({ chainId: 31_337, deploymentBlock: 0n, oracles: [address, address], finalityDepth: 0 });
  expect(logLevel).toBe('info');
  expect(() => configOfEnv({ ...environment, KEEPER_METRICS_PROT: '1' })).toThrow('did you mean KEEPER_METRICS_PORT?');
  expect(() => configOfEnv({ ...environment, FAILPOINT: 'after_sign' })).toThrow(/FAILPOINT must be/);
  const { RPC_URL: _, ...incomplete } = environment;
  expect(() => configOfEnv({ ...incomplete, VAULT_ADDRESS: '0x1' })).toThrow(
    /RPC_URL[\s\S]*VAULT_ADDRESS|VAULT_ADDRESS[\s\S]*RPC_URL/,
  );
});

test('each price signer has a secret of its own', () => {
  expect(configOfEnv(environment).config.priceSigners).toEqual([
    { url: 'http://127.0.0.1:3', secret: 'sixteen characters' },
    { url: 'http://127.0.0.1:4', secret: 'seventeen letters' },
  ]);
  const one = { ...environment, PRICE_SIGNER_SECRETS: 'sixteen characters' };
  expect(() => configOfEnv(one)).toThrow(/one secret for each/);
});
