import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@core/errors';
import { conditionalTokensAbi, OrderSide, SigningKey } from '@core/vault';
import type { WalletCall } from '@core/venue';
import * as fc from 'fast-check';
import { type Address, decodeFunctionData, erc20Abi, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { DepositWallet } from './depositWallet.ts';

const addressOf = (digit: string): Address => `0x${digit.repeat(40)}`;
const wallet = addressOf('a');
const owner = new SigningKey(`0x${'1'.repeat(64)}`);
const [usdc, conditionalTokens, positionManager, exchange] = ['b', 'c', 'd', 'e'].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
];
const startUnits = 1_000_000n;
/** Token of the PositionManager. */
const managedTokenId = (1n << 248n) | (5n << 120n);
const assets: readonly (bigint | null)[] = [null, 1n, managedTokenId];

/** Balances of wallet and owner, which calls of the wallet's class move; some calls fail. */
class Ledger {
  readonly #units = new Map<string, bigint>();
  /** True for each of the next calls that fails. */
  failures: boolean[] = [];

  constructor() {
    for (const asset of assets) this.add(owner.address, asset, startUnits);
  }

  async balanceOf(account: Address, asset: bigint | null): Promise<bigint> {
    await delay(0);
    return this.unitsOf(account, asset);
  }

  unitsOf(account: Address, asset: bigint | null): bigint {
    return this.#units.get(`${account.toLowerCase()} ${asset}`) ?? 0n;
  }

  add(account: Address, asset: bigint | null, units: bigint): void {
    const sum = this.unitsOf(account, asset) + units;
    if (sum < 0n) throw new Error(`${account} has too little of ${asset}`);
    this.#units.set(`${account.toLowerCase()} ${asset}`, sum);
  }

  /** Carry out transfers of a caller as the contracts would, or none of them. */
  async run(caller: Address, calls: readonly Pick<WalletCall, 'target' | 'data'>[]): Promise<void> {
    await delay(0);
    if (this.failures.shift() === true) throw new Fault({ origin: 'chain', kind: 'retryable', message: 'silent' });
    for (const { target, data } of calls) {
      if (target === usdc) this.#moveMoney(caller, data);
      else this.#moveTokens(target, data);
    }
  }

  #moveMoney(caller: Address, data: Hex): void {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
    if (functionName === 'transfer') this.#move(caller, args[0], [null, args[1]]);
    else if (functionName === 'transferFrom') this.#move(args[0], args[1], [null, args[2]]);
    else throw new Error(`unexpected ${functionName}`);
  }

  #moveTokens(target: Address, data: Hex): void {
    const { functionName, args } = decodeFunctionData({ abi: conditionalTokensAbi, data });
    if (functionName !== 'safeTransferFrom') throw new Error(`unexpected ${functionName}`);
    const [from, receiver, tokenId, units] = args;
    if (target !== (tokenId === managedTokenId ? positionManager : conditionalTokens))
      throw new Error('another ledger');
    this.#move(from, receiver, [tokenId, units]);
  }

  #move(from: Address, to: Address, [asset, units]: readonly [bigint | null, bigint]): void {
    this.add(from, asset, -units);
    this.add(to, asset, units);
  }
}

const order = fc.record({
  side: fc.constantFrom(OrderSide.Buy, OrderSide.Sell),
  tokenId: fc.constantFrom(1n, managedTokenId),
  makerAmount: fc.bigInt({ min: 1n, max: 100_000n }),
  filledPercent: fc.constantFrom(0n, 37n, 100n),
  beginsAfter: fc.nat({ max: 3 }),
  lasts: fc.nat({ max: 3 }),
});

function walletOn(ledger: Ledger, isRelayed: boolean): DepositWallet {
  let callCount = 0;
  return new DepositWallet({
    wallet,
    owner,
    domains: {
      conditional: { name: 'Venue Exchange', version: '2', chainId: 31_337, exchange },
      managed: { name: 'Venue Exchange', version: '3', chainId: 31_337, exchange },
    },
    walletDomain: { name: 'DepositWallet', version: '1' },
    contracts: { usdc, conditionalTokens, positionManager },
    account: ledger,
    sender: {
      send: async ({ to, data }) => {
        await ledger.run(owner.address, [{ target: to, data }]);
        return { kind: 'included' };
      },
    },
    venue: { refreshWalletBalance: () => ledger.run(owner.address, []) },
    relayer: isRelayed ? { execute: (calls) => ledger.run(wallet, calls).then(() => '0x' as const) } : null,
    leftTokenIds: [1n, managedTokenId],
    newId: () => String((callCount += 1)),
  });
}

/** Return true where the chain or the venue did not answer. @throws anything else */
async function isFailing(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof Fault) return true;
    throw error;
  }
}

test('wallet: orders at the same time, some transfers fail → each has what it may spend, and at rest it is empty', async () => {
  const law = fc.asyncProperty(
    fc.array(order, { maxLength: 8 }),
    fc.array(fc.boolean(), { maxLength: 12 }),
    fc.boolean(),
    async (orders, failures, isRelayed) => {
      const ledger = new Ledger();
      const account = walletOn(ledger, isRelayed);
      await account.takeLeft();
      ledger.failures = [...failures];
      const live = new Map<bigint | null, bigint>();
      const spend = (asset: bigint | null, units: bigint) => live.set(asset, (live.get(asset) ?? 0n) + units);
      await Promise.all(
        orders.map(async ({ filledPercent, beginsAfter, lasts, ...amounts }) => {
          await delay(beginsAfter);
          const asset = amounts.side === OrderSide.Buy ? null : amounts.tokenId;
          if (await isFailing(account.fund(amounts))) return;
          spend(asset, amounts.makerAmount);
          expect(ledger.unitsOf(wallet, asset)).toBeGreaterThanOrEqual(live.get(asset) ?? 0n);
          await delay(lasts);
          expect(ledger.unitsOf(wallet, asset)).toBeGreaterThanOrEqual(live.get(asset) ?? 0n);
          const soldUnits = (amounts.makerAmount * filledPercent) / 100n;
          ledger.add(wallet, asset, -soldUnits);
          ledger.add(wallet, asset === null ? amounts.tokenId : null, soldUnits);
          spend(asset, -amounts.makerAmount);
          await isFailing(account.release(amounts));
        }),
      );
      for (let round = 0; round <= failures.length; round += 1) await isFailing(account.takeLeft());
      for (const asset of assets) expect(ledger.unitsOf(wallet, asset)).toBe(0n);
      const total = assets.reduce<bigint>((sum, asset) => sum + ledger.unitsOf(owner.address, asset), 0n);
      expect(total).toBe(3n * startUnits);
    },
  );
  await fc.assert(law, { numRuns: 60 });
});
