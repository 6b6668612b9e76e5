import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { configOfEnv } from '../env.ts';
import { tasks } from '../tasks.ts';
import { crashAt, crashPoints } from './crashPoint.ts';
import { bumpedFeesOf } from './transactionFees.ts';

test('a replacement pays at least an eighth more, and never less than the present price', () => {
  const fees = fc.record({ maxFeePerGasWei: fc.bigInt(1n, 10n ** 12n), maxPriorityFeeWei: fc.bigInt(0n, 10n ** 12n) });
  fc.assert(
    fc.property(fees, fees, (last, present) => {
      const bumped = bumpedFeesOf(last, present);
      for (const name of ['maxFeePerGasWei', 'maxPriorityFeeWei'] as const) {
        expect(bumped[name] * 1_000n).toBeGreaterThanOrEqual(last[name] * 1_125n);
        expect(bumped[name]).toBeGreaterThanOrEqual(present[name]);
      }
    }),
  );
});

test('a crash point that is not the named one does nothing', () => {
  const reach = crashAt('settle:after_sign');
  expect(() => crashPoints.forEach((point) => reach('refund', point))).not.toThrow();
  expect(() => crashAt(undefined)('settle', 'after_sign')).not.toThrow();
  expect(() => crashAt('')('settle', 'after_sign')).not.toThrow();
});

test('task names are unique and everything that sends, or finds what to send, runs under one lock', () => {
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length);
  const sending = tasks.filter(({ name }) =>
    ['registerOutcomes', 'followDebts', 'advancePositions', 'tendLane'].includes(name),
  );
  expect(new Set(sending.map(({ lock }) => lock)).size).toBe(1);
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
  PRICE_SIGNER_URL: 'http://127.0.0.1:3',
  PRICE_SIGNER_SECRET: 'sixteen characters',
  KEEPER_PRIVATE_KEY: `0x${'22'.repeat(32)}`,
  ORACLE_ADDRESSES: `${address}, ${address}`,
};

test('the environment is read whole, and its faults are named', () => {
  const { config, logLevel } = configOfEnv(environment);
  expect(config).toMatchObject({ chainId: 31_337, deploymentBlock: 0n, oracles: [address, address], finalityDepth: 0 });
  expect(logLevel).toBe('info');
  const { RPC_URL: _, ...incomplete } = environment;
  expect(() => configOfEnv({ ...incomplete, VAULT_ADDRESS: '0x1' })).toThrow(
    /RPC_URL[\s\S]*VAULT_ADDRESS|VAULT_ADDRESS[\s\S]*RPC_URL/,
  );
});
