import { socketLimits } from '@core/wire';
import { expect, test } from 'vitest';
import type { Caller } from '../auth/authenticate.ts';
import { parseWalletAddress } from '../auth/walletAddress.ts';
import { Handshakes } from './handshakes.ts';

const partner = { id: 'ptn_1' } as Caller['partner'];
const key: Caller = { kind: 'partner', partner };
function userOf(walletAddress: string): Caller {
  const wallet = parseWalletAddress(walletAddress);
  if (wallet === null) throw new Error('the wallet is well-formed');
  const token = { partnerId: partner.id, walletAddress, kid: 'test', expiresAtMs: 0 };
  return { kind: 'user', partner, wallet, token };
}
const alice = userOf('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
const bob = userOf('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');

test('a wallet has room for all of its connections several times a minute, and for no more', () => {
  let nowMs = 0;
  const handshakes = new Handshakes(() => nowMs);
  const { handshakesPerWallet, connectionsPerWallet } = socketLimits;
  expect(handshakesPerWallet).toBeGreaterThanOrEqual(5 * connectionsPerWallet);
  for (let count = 1; count <= handshakesPerWallet; count += 1) {
    expect(handshakes.take(alice)).toMatchObject({ allowed: true, remaining: handshakesPerWallet - count });
  }
  nowMs = 59_000;
  expect(handshakes.take(alice)).toEqual({ allowed: false, limit: handshakesPerWallet, remaining: 0, resetMs: 1_000 });
  expect([bob, key].map((caller) => handshakes.take(caller).allowed)).toEqual([true, true]);
  nowMs = 60_000;
  expect(handshakes.take(alice)).toMatchObject({ allowed: true, resetMs: 60_000 });
});

test('the keys of a partner share one limit', () => {
  const handshakes = new Handshakes(() => 0);
  expect(handshakes.take(key).limit).toBe(socketLimits.handshakesPerPartner);
  expect(socketLimits.handshakesPerPartner).toBeGreaterThanOrEqual(5 * socketLimits.connectionsPerPartner);
});
