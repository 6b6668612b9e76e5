import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FeeBounds } from './feeBounds.ts';
import { offeredFeesOf, type TransactionFees } from './transactionFees.ts';

const gwei = 1_000_000_000n;
const coin = 10n ** 18n;
const ceilingWei = 2_000n * gwei;
const gas = 600_000n;

/** A node's refusals, in the words of the nodes of the target chain. */
const refusalOf = (fees: TransactionFees, node: { readonly tipWei: bigint; readonly capWei: bigint }) => {
  const { maxFeePerGasWei, maxPriorityFeeWei } = fees;
  if (maxPriorityFeeWei < node.tipWei) {
    return `transaction underpriced: gas tip cap ${maxPriorityFeeWei}, minimum needed ${node.tipWei}`;
  }
  const text = (wei: bigint): string => (Number(wei) / 1e18).toFixed(2);
  return maxFeePerGasWei * gas > node.capWei
    ? `tx fee (${text(maxFeePerGasWei * gas)} ether) exceeds the configured cap (${text(node.capWei)} ether)`
    : null;
};

test('fees: a node with a minimum tip and a cap of its own → after at most two refusals fees that it takes', () => {
  const world = fc.record({
    baseWei: fc.bigInt(1n, 1_500n * gwei),
    estimatedTipWei: fc.bigInt(0n, 40n * gwei),
    tipWei: fc.bigInt(0n, 30n * gwei),
    capWei: fc.bigInt(1n, 4n).map((coins) => coins * coin),
  });
  fc.assert(
    fc.property(world, ({ baseWei, estimatedTipWei, ...node }) => {
      const price = { maxFeePerGas: baseWei + estimatedTipWei, maxPriorityFeePerGas: estimatedTipWei };
      const bounds = new FeeBounds();
      expect(bounds.feesAt(price, { ceilingWei, gas })).toEqual(offeredFeesOf(price, ceilingWei));
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const refusal = refusalOf(bounds.feesAt(price, { ceilingWei, gas }), node);
        expect(refusal === null || bounds.record(refusal)).toBe(true);
      }
      const fees = bounds.feesAt(price, { ceilingWei, gas });
      expect(refusalOf(fees, node)).toBe(null);
      expect(fees.maxFeePerGasWei).toBeLessThanOrEqual(ceilingWei);
      expect(fees.maxPriorityFeeWei).toBeLessThanOrEqual(fees.maxFeePerGasWei);
      // Only the surplus is cut, while the cap covers the price.
      const priceWei = baseWei + (estimatedTipWei > node.tipWei ? estimatedTipWei : node.tipWei);
      const isAboveCap = priceWei * gas * 100n > node.capWei * 99n;
      expect(isAboveCap || fees.maxFeePerGasWei >= priceWei).toBe(true);
    }),
  );
});

test.each(['nonce too low', 'transaction underpriced', 'insufficient funds for gas * price + value', ''])(
  'fees: "%s" names no bound',
  (refusal) => {
    expect(new FeeBounds().record(refusal)).toBe(false);
  },
);

test.each(['0.00', '0', '0.000000000000000001'])('fees: a cap of %s coins allows no fee and is no bound', (cap) => {
  const bounds = new FeeBounds();
  const price = { maxFeePerGas: 30n * gwei, maxPriorityFeePerGas: gwei };
  expect(bounds.record(`tx fee (0.02 ether) exceeds the configured cap (${cap} ether)`)).toBe(false);
  expect(bounds.feesAt(price, { ceilingWei, gas })).toEqual(offeredFeesOf(price, ceilingWei));
});

test('fees: bounds that a node named, also wrong ones, end after an hour', () => {
  let nowMs = 0;
  const bounds = new FeeBounds(() => nowMs);
  const price = { maxFeePerGas: 30n * gwei, maxPriorityFeePerGas: gwei };
  bounds.record(`gas tip cap 1, minimum needed ${ceilingWei * gwei}`);
  bounds.record('tx fee (1.00 ether) exceeds the configured cap (0.01 ether)');
  nowMs = 3_599_999;
  expect(bounds.feesAt(price, { ceilingWei, gas })).not.toEqual(offeredFeesOf(price, ceilingWei));
  nowMs += 1;
  expect(bounds.feesAt(price, { ceilingWei, gas })).toEqual(offeredFeesOf(price, ceilingWei));
});
