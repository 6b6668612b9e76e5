import { SigningKey } from '@core/vault';
import * as fc from 'fast-check';
import { type Hex, numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { transactionSignerOf } from './transactionSigner.ts';

const anyPrivateKey = fc.bigInt(1n, 2n ** 255n).map((key): Hex => numberToHex(key, { size: 32 }));
const anyHex = (options: { readonly minLength: number; readonly maxLength: number }): fc.Arbitrary<Hex> =>
  fc.uint8Array(options).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);

const anyCall = fc.record({
  to: anyHex({ minLength: 20, maxLength: 20 }),
  data: anyHex({ minLength: 0, maxLength: 900 }),
  chainId: fc.integer({ min: 1 }),
  nonce: fc.nat(),
  gas: fc.bigInt(1n, 2n ** 40n),
});
const anyFees = fc
  .tuple(fc.bigInt(0n, 2n ** 50n), fc.bigInt(0n, 2n ** 50n))
  .map(([base, maxPriorityFeeWei]) => ({ maxFeePerGasWei: base + maxPriorityFeeWei, maxPriorityFeeWei }));

test('signs a transaction with the same bytes as viem', async () => {
  await fc.assert(
    fc.asyncProperty(anyPrivateKey, anyCall, anyFees, async (privateKey, call, fees) => {
      const signer = transactionSignerOf(new SigningKey(privateKey));
      const account = privateKeyToAccount(privateKey);
      const expectedRaw = await account.signTransaction({
        type: 'eip1559',
        ...call,
        maxFeePerGas: fees.maxFeePerGasWei,
        maxPriorityFeePerGas: fees.maxPriorityFeeWei,
      });
      expect(signer.address).toBe(account.address);
      expect(await signer.sign({ ...call, ...fees })).toBe(expectedRaw);
    }),
    { numRuns: 40 },
  );
});
