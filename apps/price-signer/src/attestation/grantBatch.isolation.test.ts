import { sampleSnapshot } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import { PoisonedItems, servedBeside } from '@core/testkit';
import { type PositionTerms, SigningKey } from '@core/vault';
import { type Hex, toHex } from 'viem';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { grantBatch } from './grantBatch.ts';
import type { AttestorDependencies } from './observeRequest.ts';

const keys = Array.from({ length: 5 }, (_, index) => toHex(index + 1, { size: 32 }));
const healthy = keys.filter((_, index) => index !== 2);
const snapshot = sampleSnapshot();
const address = `0x${'11'.repeat(20)}` as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Position of ten tokens with a debt that is due, in the market of the sample. */
const positionOf = (positionKey: Hex): PositionTerms => ({
  positionKey,
  outcomeId: 1,
  conditionId: toHex(9, { size: 32 }),
  tokenId: BigInt(snapshot.facts.yesTokenId ?? 0),
  blockNumber: 1n,
  blockTimeMs: snapshot.nowMs,
  state: 'open',
  isCancelRequested: false,
  notionalUsdcUnits: usdcUnits(8_000_000n),
  collateralUsdcUnits: usdcUnits(1_000_000n),
  filledUsdcUnits: usdcUnits(8_000_000n),
  closeTokenUnits: tokenUnits(0n),
  closeMinPricePips: pricePips(0n),
  bookedTokenUnits: tokenUnits(10_000_000n),
  principalUsdcUnits: usdcUnits(6_600_000n),
  debtUsdcUnits: usdcUnits(6_600_000n),
  owesSinceMs: snapshot.nowMs - 60_000,
  liquidationPricePips: pricePips(1n),
  maxVenueFeeBps: rateBps(0n),
  isDecided: false,
});

/** Dependencies of a batch, of which one member fails at a step. */
function dependenciesOf(step: 'read' | 'owing', items: PoisonedItems) {
  const serve = <Value>(at: typeof step, key: Hex, value: Value): Promise<Value> =>
    at === step ? items.serve(key, () => value) : Promise.resolve(value);
  const recorded: Hex[] = [];
  const fakes = {
    client: { readContract: () => Promise.resolve(0n) },
    chainId: 137,
    contracts: { vault: address },
    key: new SigningKey(`0x${'01'.repeat(32)}`),
    watch: { snapshotOf: () => snapshot },
    mids: { observationBefore: () => null },
    owing: {
      of: ({ positionKey, owesSinceMs }: PositionTerms) =>
        serve('owing', positionKey, { owesSinceMs, wasHardExitInForce: false }),
    },
    grants: { record: (positionKey: Hex) => recorded.push(positionKey) },
    positions: { read: (positionKey: Hex) => serve('read', positionKey, positionOf(positionKey)) },
    clock: { nowMs: () => snapshot.nowMs },
    config: policyDefaults,
  };
  return { dependencies: fakes as object as AttestorDependencies, recorded };
}

const request = {
  purpose: 'unwind',
  members: keys.map((positionKey) => ({ positionKey, mostUnits: 10_000_000n, quotedRisk: null })),
} as const;

describe.each(['read', 'owing'] as const)('a batch, %s', (step) => {
  test.each(['throws_once', 'throws_always', 'hangs'] as const)(
    'of one member %s → the others are signed',
    async (kind) => {
      const signatures: (readonly Hex[])[] = [];
      const causes: string[] = [];
      await servedBeside({ keys, kind, rubbish: null }, async (items) => {
        const { dependencies, recorded } = dependenciesOf(step, items);
        const outcome = grantBatch(dependencies, request);
        await vi.advanceTimersByTimeAsync(3_600);
        const { answer, refusals } = await outcome;
        if (answer.kind !== 'signed') throw new Error(answer.code);
        expect(recorded).toEqual(answer.batch.members.map(({ positionKey }) => positionKey));
        signatures.push(recorded);
        causes.push(...refusals.map(({ positionKey, cause }) => `${positionKey} ${cause.kind}`));
      });
      expect(signatures).toEqual([keys, healthy]);
      expect(causes).toEqual([`${keys[2]} failed`]);
    },
  );
});

test('a batch: its first member has the other token → it alone is refused', async () => {
  const healthyItems = new PoisonedItems({ keys, kind: null, rubbish: null });
  const { dependencies, recorded } = dependenciesOf('read', healthyItems);
  const [first, ...others] = keys;
  const tokenId = BigInt(snapshot.facts.noTokenId ?? 0);
  const read = (key: Hex) => Promise.resolve({ ...positionOf(key), ...(key === first && { tokenId }) });
  const positions = { read } as object as AttestorDependencies['positions'];
  const { answer, refusals } = await grantBatch({ ...dependencies, positions }, request);
  expect(answer).toMatchObject({ kind: 'signed', batch: { tokenId: BigInt(snapshot.facts.yesTokenId ?? 0) } });
  expect(recorded).toEqual(others);
  expect(refusals).toEqual([{ positionKey: first, cause: { kind: 'refused', code: 'attestation_mismatch' } }]);
});
