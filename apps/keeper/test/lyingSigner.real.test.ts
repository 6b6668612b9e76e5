import { httpAttestationSource } from '@core/attestation';
import type { LocalAccount } from '@core/contracts/local';
import { leverageBps, raw, tokenUnits } from '@core/pricing';
import {
  liquidityPoolAbi,
  OrderSide,
  type PriceAttestation,
  Purpose,
  SigningKey,
  signPriceAttestation,
  toAttestationStruct,
  toVenueOrderStruct,
  vaultAbi,
} from '@core/vault';
import { type Address, concat, encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Keeper, KeeperConfig } from '../src/index.ts';
import { type LyingSigner, lieOf, startLyingSigner } from '../testing/lyingSigner.ts';
import { severalRounds } from '../testing/severalRounds.ts';
import {
  addPriceSigner,
  askToClose,
  callVault,
  exitByRepaying,
  firstOrderOf,
  openLeveraged,
  ordersOf,
  ownPlace,
  patientPolicy,
  removePriceSigner,
  untilOpeningAttested,
  untilReported,
} from '../testing/signerSteps.ts';
import { type HeldPosition, isLastingCrypto, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ isListed: isLastingCrypto });
});
afterAll(() => stack.close());

async function startKeeper(changes: Partial<KeeperConfig> = {}): Promise<Keeper> {
  const keeper = await stack.startKeeper(changes);
  onTestFinished(() => keeper.close());
  return keeper;
}

const liquidatedSoon = leverageBps(50_000n);

/** Another program takes the second signer's place, with its key and at its port. */
async function replaceSecond<Signer extends TestStack['signers'][1]>(
  start: (place: { readonly privateKey: Hex; readonly port: number }) => Promise<Signer>,
): Promise<Signer> {
  const [, second] = stack.signers;
  await second.close();
  const port = Number(new URL(second.url).port);
  const liarProcess = await start({ privateKey: stack.deployment.roles.secondPriceSigner.privateKey, port });
  stack.signers[1] = liarProcess;
  return liarProcess;
}

const startHonest = ({ privateKey, port }: { readonly privateKey: Hex; readonly port: number }) =>
  stack.startPriceSigner(privateKey, port);

function poolAssets(): Promise<bigint> {
  const at = { address: stack.deployment.contracts.pool, abi: liquidityPoolAbi } as const;
  return stack.driver.rpc.client.readContract({ ...at, functionName: 'totalAssets' });
}

/**
 * Expect that an authorisation matches an honest observation within the tolerance: a tick, or a hundredth of the mark.
 */
async function expectHonestPrice(
  { honestAnswers }: LyingSigner,
  held: Pick<HeldPosition, 'position' | 'market'>,
  purpose: 'open' | 'close' | 'liquidate',
): Promise<void> {
  const { attestation, signers } = await firstOrderOf(stack, held, purpose);
  const [first, second] = stack.signers;
  expect(new Set(signers)).toEqual(new Set([first.address, second.address]));
  const { positionKey } = held.position;
  const observations = honestAnswers.filter(
    ({ request }) => request.positionKey === positionKey && request.purpose === purpose,
  );
  expect(observations.length).toBeGreaterThan(0);
  const { record } = held.market;
  if (record === null) throw new Error(`venue record of ${held.market.ticker} is unreadable`);
  const tickPips = raw(record.tickPricePips);
  for (const { attestation: honest } of observations) {
    const hundredth = raw(honest.markPips) / 100n;
    const tolerance = hundredth > tickPips ? hundredth : tickPips;
    const worseBy = (theirs: bigint, own: bigint) => (purpose === 'open' ? theirs - own : own - theirs);
    expect(worseBy(raw(attestation.markPips), raw(honest.markPips))).toBeLessThanOrEqual(tolerance);
    expect(worseBy(raw(attestation.limitPips), raw(honest.limitPips))).toBeLessThanOrEqual(tickPips);
  }
}

/** The user has what is left once the pool has its money, and the account nothing. */
async function expectWhole(
  user: LocalAccount,
  { position }: Pick<HeldPosition, 'position'>,
  hadUsdcUnits: bigint,
): Promise<void> {
  const ended = await stack.reaches(position, 'closed', 'liquidated');
  expect(ended).toMatchObject({ badDebtUsdcUnits: 0n });
  expect(await stack.driver.usdcOf(position.account)).toBe(0n);
  expect(await stack.driver.usdcOf(user.address)).toBe(hadUsdcUnits + raw(ended.proceedsUsdcUnits));
}

const endedBy = { open: 'open', close: 'closed', liquidate: 'liquidated' } as const;
const purposes = ['open', 'close', 'liquidate'] as const;

test.each<{ readonly pricePercent: number; readonly goesOn: readonly (typeof purposes)[number][] }>([
  // More careful than the book allows of a sale, and no matter to a buyer; the other way round.
  { pricePercent: 110, goesOn: ['open'] },
  { pricePercent: 90, goesOn: ['close', 'liquidate'] },
])(
  'two of two, one says $pricePercent % of each price: no order but at the honest one, exits continue; replaced, so does all',
  async ({ pricePercent, goesOn }) => {
    const { alice, bob, carol, dave, erin } = stack.deployment.roles;
    const keeper = await startKeeper({ policy: patientPolicy });
    const poolHad = await poolAssets();
    const [closing, due, leaving, ended] = await Promise.all([
      openLeveraged(stack, alice),
      openLeveraged(stack, bob, { leverage: liquidatedSoon }),
      openLeveraged(stack, carol),
      openLeveraged(stack, dave),
    ]);
    const liar = await replaceSecond((place) => startLyingSigner(stack, { ...place, pricePercent }));
    const aliceHad = await stack.driver.usdcOf(alice.address);
    const bobHad = await stack.driver.usdcOf(bob.address);

    const market = await stack.tradableMarket();
    const opening = { market, position: await stack.open({ user: erin, market }) };
    await askToClose(stack, alice, closing);
    await stack.fallUnderLiquidation(due);
    await exitByRepaying(stack, carol, leaving);
    await stack.scenario('resolve', ended.market, { outcome: ended.side });
    await stack.reaches(ended.position, 'settled');
    await severalRounds(stack, keeper);

    const positions = { open: opening, close: closing, liquidate: due };
    const honestPurposes = new Set(liar.honestAnswers.map(({ request }) => request.purpose));
    expect(honestPurposes).toEqual(new Set(purposes));
    for (const purpose of goesOn) {
      await stack.reaches(positions[purpose].position, endedBy[purpose]);
      await expectHonestPrice(liar, positions[purpose], purpose);
    }
    const orderCounts = await Promise.all(
      purposes.map(async (purpose) => (await ordersOf(stack, positions[purpose], purpose)).length),
    );
    expect(purposes.filter((_, index) => orderCounts[index] !== 0)).toEqual(goesOn);

    await replaceSecond(startHonest);
    for (const purpose of purposes) await stack.reaches(positions[purpose].position, endedBy[purpose]);
    await expectWhole(alice, closing, aliceHad);
    await expectWhole(bob, due, bobHad);
    expect(await poolAssets()).toBeGreaterThanOrEqual(poolHad);
  },
);

test.each<{ readonly pricePercent: number; readonly harmless: readonly (typeof purposes)[number][] }>([
  { pricePercent: 110, harmless: ['open'] },
  { pricePercent: 90, harmless: ['close', 'liquidate'] },
])(
  'two of three, one says $pricePercent % of each price: all continues, signed by the others where that matters',
  async ({ pricePercent, harmless }) => {
    const { alice, bob, carol, lp: third } = stack.deployment.roles;
    const registrar = await stack.startKeeper();
    const places = [await ownPlace(stack), await ownPlace(stack)] as const;
    await registrar.close();
    await addPriceSigner(stack, third.address);
    const honest = await stack.startPriceSigner(third.privateKey);
    const liar = await replaceSecond((place) => startLyingSigner(stack, { ...place, pricePercent }));
    // Without an average of its own the third would leave an opening to the other two.
    for (const place of places) {
      await untilOpeningAttested(stack, honest, await stack.open({ user: carol, ...place }));
    }
    const priceSigners = [...stack.keeperConfig().priceSigners, stack.askedAt(honest)];
    await startKeeper({ priceSigners });
    await untilReported(stack, 'three to answer', (seen) => seen.priceSigners.every(({ isAppointed }) => isAppointed));
    const [closing, due] = await Promise.all([
      openLeveraged(stack, alice, { place: places[0] }),
      openLeveraged(stack, bob, { leverage: liquidatedSoon, place: places[1] }),
    ]);
    await askToClose(stack, alice, closing);
    await stack.fallUnderLiquidation(due);
    await stack.reaches(closing.position, 'closed');
    await stack.reaches(due.position, 'liquidated');
    const honestOnes = new Set<Address | null>([stack.signers[0].address, honest.address]);
    const liarAddress = stack.deployment.roles.secondPriceSigner.address;
    for (const [held, purpose] of [
      [closing, 'open'],
      [closing, 'close'],
      [due, 'liquidate'],
    ] as const) {
      const { signers } = await firstOrderOf(stack, held, purpose);
      // The first two who agree sign: a liar too where its price is the more careful one.
      const isLiarAllowed = harmless.includes(purpose);
      expect(new Set(signers).size).toBe(2);
      expect(signers.filter((address) => !honestOnes.has(address))).toEqual(
        isLiarAllowed && signers.includes(liarAddress) ? [liarAddress] : [],
      );
    }
    expect(liar.honestAnswers.length).toBeGreaterThan(0);
    await removePriceSigner(stack, third.address, 'owner');
    await honest.close();
    await replaceSecond(startHonest);
  },
);

test('keeper and one key of two stolen: the honest signer refuses each lie, and the vault what one key signs', async () => {
  const { alice, keeper: keeperKey, secondPriceSigner } = stack.deployment.roles;
  const keeper = await stack.startKeeper();
  const { position } = await openLeveraged(stack, alice);
  await keeper.close();
  const { driver } = stack;
  const units = (await driver.positionOf(position)).tokenUnits;
  const request = { positionKey: position.positionKey, tokenUnits: tokenUnits(units), quotedRisk: null } as const;
  const honest = httpAttestationSource(stack.askedAt(stack.signers[0]));
  const askFor = (purpose: 'liquidate' | 'close', attestation: PriceAttestation) =>
    honest.countersign({ request: { ...request, purpose }, attestation });
  const low = await driver.attestation({
    token: position.token,
    purpose: Purpose.Liquidate,
    markPips: (await stack.liquidationPriceOf(position)) - 1n,
    limitPips: 1n,
  });
  expect(await askFor('liquidate', low)).toEqual({ kind: 'refused', code: 'not_due' });

  await driver.requestClose({ position, sender: alice, tokenUnits: units });
  const own = await stack.until('the honest signer to see the request', async () => {
    const answer = await honest.attest({ ...request, purpose: 'close' });
    return answer.kind === 'signed' ? answer.attestation : undefined;
  });
  expect(await askFor('close', lieOf(own, 90))).toEqual({ kind: 'refused', code: 'mark_disagrees' });
  const deep = { ...own, limitPips: lieOf(own, 95).limitPips };
  expect(await askFor('close', deep)).toEqual({ kind: 'refused', code: 'limit_disagrees' });
  expect(await askFor('close', own)).toMatchObject({ kind: 'signed' });

  const { chainId, contracts } = stack.deployment;
  const thief = new SigningKey(secondPriceSigner.privateKey);
  const order = driver.orderOf({
    maker: position.account,
    token: position.token,
    side: OrderSide.Sell,
    tokenUnits: units,
    usdcUnits: units / 10_000n,
    isContract: true,
  });
  const authorize = async (attestation: PriceAttestation, copies: number) => {
    const { signature } = await signPriceAttestation(thief, attestation, { chainId, vault: contracts.vault });
    const args = [
      position.positionKey,
      attestation.purpose,
      toVenueOrderStruct(order),
      (await driver.rpc.nowSeconds()) + 45n,
      toAttestationStruct(attestation),
      concat(Array.from({ length: copies }, () => signature)),
    ] as const;
    await callVault(stack, keeperKey, encodeFunctionData({ abi: vaultAbi, functionName: 'authorizeOrder', args }));
  };
  for (const attestation of [low, lieOf(own, 90), own]) {
    await expect(authorize(attestation, 1)).rejects.toMatchObject({ errorName: 'SignaturesRequired' });
    await expect(authorize(attestation, 2)).rejects.toMatchObject({ errorName: 'InvalidAttestationSignature' });
  }
  expect((await driver.positionOf(position)).tokenUnits).toBe(units);
});
