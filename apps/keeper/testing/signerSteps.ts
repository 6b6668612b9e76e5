import { httpAttestationSource } from '@core/attestation';
import type { LocalAccount, LocalPosition } from '@core/contracts/local';
import type { PolicyConfig } from '@core/policy';
import type { PriceSigner } from '@core/price-signer';
import { type LeverageBps, leverageBps, pricePips, rateBps, tokenUnits } from '@core/pricing';
import { type KeeperReport, keeperReportOf } from '@core/runtime';
import { hashPriceAttestation, type PriceAttestation, Role, recoverPriceSigner, vaultAbi } from '@core/vault';
import { type Address, decodeFunctionData, encodeFunctionData, type Hex, size, slice } from 'viem';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { type HeldPosition, stackPolicy, type TestStack } from './startTestStack.ts';

type Purpose = 'open' | 'close' | 'liquidate';

/** Openings are tried as often as it takes: refusals by signers that disagree do not end one. */
export const patientPolicy: PolicyConfig = {
  ...stackPolicy,
  execution: { ...stackPolicy.execution, maxOpenAttempts: 1_000 },
};
const signatureBytes = 65;

/** A market and its likelier side. */
export type Place = Omit<HeldPosition, 'position'>;

/** A place in a market of its own. */
export async function ownPlace(stack: TestStack): Promise<Place> {
  const market = await stack.tradableMarket();
  return { market, side: await stack.likelierSide(market) };
}

/** A leveraged position, in a market of its own by default. */
export async function openLeveraged(
  stack: TestStack,
  user: LocalAccount,
  { leverage = leverageBps(30_000n), place }: { readonly leverage?: LeverageBps; readonly place?: Place } = {},
): Promise<HeldPosition> {
  const { market, side } = place ?? (await ownPlace(stack));
  const position = await stack.open({ user, market, side, leverageBps: leverage });
  await stack.reaches(position, 'open');
  return { market, side, position };
}

/**
 * Ask a price signer for the opening of a position until it signs: it has an average price of its own. No keeper may
 * run meanwhile, since an open position has no opening.
 */
export async function untilOpeningAttested(
  stack: TestStack,
  signer: Pick<PriceSigner, 'url' | 'address'>,
  { positionKey }: LocalPosition,
): Promise<void> {
  const source = httpAttestationSource(stack.askedAt(signer));
  const request = { positionKey, purpose: 'open', tokenUnits: tokenUnits(1_000_000n), quotedRisk: null } as const;
  await stack.until(`${signer.address} to attest an opening`, async () => {
    const answer = await source.attest(request).catch(() => null);
    return answer?.kind === 'signed' ? true : undefined;
  });
}

export async function callVault(stack: TestStack, sender: LocalAccount, data: Hex): Promise<void> {
  await stack.driver.rpc.send(sender, { to: stack.deployment.contracts.vault, data });
}

/** The owner appoints a price signer. */
export const addPriceSigner = (stack: TestStack, signer: Address): Promise<void> =>
  setPriceSigner(stack, stack.deployment.roles.owner, { signer, isMember: true });

/** The guardian takes a price signer off, or the owner: without waiting after the guardian's last removal. */
export const removePriceSigner = (
  stack: TestStack,
  signer: Address,
  by: 'guardian' | 'owner' = 'guardian',
): Promise<void> => setPriceSigner(stack, stack.deployment.roles[by], { signer, isMember: false });

function setPriceSigner(
  stack: TestStack,
  sender: LocalAccount,
  { signer, isMember }: { readonly signer: Address; readonly isMember: boolean },
): Promise<void> {
  const args = [Role.PriceSigner, signer, isMember] as const;
  return callVault(stack, sender, encodeFunctionData({ abi: vaultAbi, functionName: 'setRole', args }));
}

/** The user's own way out: repays the loan and takes the tokens. */
export async function exitByRepaying(stack: TestStack, user: LocalAccount, { position }: HeldPosition): Promise<void> {
  await stack.driver.approveUsdc(user, stack.deployment.contracts.vault);
  const args = [position.positionKey, user.address] as const;
  await callVault(stack, user, encodeFunctionData({ abi: vaultAbi, functionName: 'exitByRepaying', args }));
  await stack.reaches(position, 'closed');
}

/** The user asks to close the whole position. */
export async function askToClose(stack: TestStack, user: LocalAccount, { position }: HeldPosition): Promise<void> {
  const { tokenUnits } = await stack.driver.positionOf(position);
  await stack.driver.requestClose({ position, sender: user, tokenUnits });
}

/** Return the authorisations of a position. */
export async function ordersOf(stack: TestStack, { position }: Pick<HeldPosition, 'position'>, purpose: Purpose) {
  const intents = ofOperation(
    await intentsOfSubject(stack.store.intents, position.positionKey),
    `authorize_${purpose}`,
  );
  return intents.flatMap(({ plan }) => (plan.kind === 'transaction' ? [plan] : []));
}

/** The first order of a position as the chain got it: the price that was attested, and whose signatures it carried. */
export async function firstOrderOf(
  stack: TestStack,
  held: Pick<HeldPosition, 'position'>,
  purpose: Purpose,
): Promise<{ readonly attestation: PriceAttestation; readonly signers: readonly (Address | null)[] }> {
  const [plan] = await ordersOf(stack, held, purpose);
  if (plan === undefined) throw new Error('nothing was authorised');
  const call = decodeFunctionData({ abi: vaultAbi, data: plan.data });
  if (call.functionName !== 'authorizeOrder') throw new Error(`${call.functionName} authorises no order`);
  const [, , , , struct, signatures] = call.args;
  const attestation: PriceAttestation = {
    ...struct,
    purpose: struct.purpose as PriceAttestation['purpose'],
    markPips: pricePips(BigInt(struct.markPips)),
    limitPips: pricePips(BigInt(struct.limitPips)),
    triggerPips: pricePips(BigInt(struct.triggerPips)),
    venueFeeBps: rateBps(BigInt(struct.venueFeeBps)),
    exitBufferBps: rateBps(BigInt(struct.exitBufferBps)),
  };
  const { chainId, contracts } = stack.deployment;
  const hash = hashPriceAttestation(attestation, { chainId, vault: contracts.vault });
  const starts = Array.from({ length: size(signatures) / signatureBytes }, (_, index) => index * signatureBytes);
  const signers = starts.map((start) => recoverPriceSigner(hash, slice(signatures, start, start + signatureBytes)));
  return { attestation, signers: await Promise.all(signers) };
}

/** Return the latest report of the keeper that reported last. */
export async function reportOf(stack: TestStack): Promise<KeeperReport | null> {
  const heartbeats = await stack.store.heartbeats.all();
  const [heartbeat] = heartbeats.toSorted((left, right) => right.lastHeartbeatAtMs - left.lastHeartbeatAtMs);
  return keeperReportOf(heartbeat?.detail ?? null);
}

export function untilReported(
  stack: TestStack,
  what: string,
  isSo: (seen: KeeperReport) => boolean,
): Promise<KeeperReport> {
  return stack.until(what, async () => {
    const report = await reportOf(stack);
    return report !== null && isSo(report) ? report : undefined;
  });
}
