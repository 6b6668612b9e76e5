import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Fault } from '@core/errors';
import { pricePips, tokenUnits } from '@core/pricing';
import { FullDisk, fixedClock } from '@core/runtime/testing';
import type { VenueClient } from '@core/venue';
import { zeroAddress, zeroHash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, expect, test } from 'vitest';
import { Journal } from '../journal/journal.ts';
import { OwnAccount } from './orderMaker.ts';
import { VenueTrader } from './venueTrader.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'trader-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Account that counts the orders that it has provided for. */
class CountingAccount extends OwnAccount {
  fundedCount = 0;

  override async fund(): Promise<void> {
    this.fundedCount += 1;
  }

  override async release(): Promise<void> {
    this.fundedCount -= 1;
  }
}

test('the disk does not take an order → it is not posted, and what was provided for it is released', async () => {
  const disk = new FullDisk();
  const journal = new Journal(path.join(folder, 'journal.ndjson'), { warn: () => undefined }, disk);
  const exchange = { name: 'Exchange', version: '1', chainId: 1, exchange: zeroAddress };
  const domains = { conditional: exchange, managed: null };
  const maker = new CountingAccount(privateKeyToAccount(`0x${'1'.repeat(64)}`), domains);
  let postedCount = 0;
  const posts = { placeOrder: () => Promise.resolve(void (postedCount += 1)) };
  const trader = new VenueTrader({
    venue: posts as object as VenueClient,
    maker,
    domains,
    owner: 'filler',
    journal,
    clock: fixedClock(1_000),
    failpoint: () => undefined,
    salt: () => 1n,
  });
  disk.roomBytes = 100;
  const request = {
    conditionId: zeroHash,
    tokenId: 1n,
    tokenUnits: tokenUnits(10_000_000n),
    pricePips: pricePips(5_000n),
    tickPricePips: pricePips(100n),
  };
  await expect(trader.buy(request)).rejects.toThrow(Fault);
  expect([postedCount, maker.fundedCount, journal.state.orders.size]).toEqual([0, 0, 0]);
});
