import type { LocalAccount } from '@core/contracts/local';
import { leverageBps, pricePips, rateBps } from '@core/pricing';
import { type KeeperReport, keeperReportOf } from '@core/runtime';
import { hashPriceAttestation, type PriceAttestation, Role, recoverPriceSigner, vaultAbi } from '@core/vault';
import { type Address, decodeFunctionData, encodeFunctionData, type Hex, size, slice } from 'viem';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import type { HeldPosition, TestStack } from './startTestStack.ts';

type Purpose = 'open' | 'close' | 'liquidate';
const signatureBytes = 65;

/** The likelier side of a market of its own. */
export async function openLeveraged(
  stack: TestStack,
  user: LocalAccount,
  leverage = leverageBps(30_000n),
): Promise<HeldPosition> {
  const market = await stack.tradableMarket();
  const side = await stack.likelierSide(market);
  const position = await stack.open({ user, market, side, leverageBps: leverage });
  await stack.reaches(position, 'open');
  return { market, side, position };
}

export async function callVault(stack: TestStack, sender: LocalAccount, data: Hex): Promise<void> {
  await stack.driver.rpc.send(sender, { to: stack.deployment.contracts.vault, data });
}

/** The owner appoints a price signer. */
export const addPriceSigner = (stack: TestStack, signer: Address): Promise<void> =>
  setPriceSigner(stack, stack.deployment.roles.owner, { signer, isMember: true });

/** The guardian takes a price signer off. */
export const removePriceSigner = (stack: TestStack, signer: Address): Promise<void> =>
  setPriceSigner(stack, stack.deployment.roles.guardian, { signer, isMember: false });

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

/** What was authorised for a position. */
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

/** What the keeper that was heard of last reported. */
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
    const seen = await reportOf(stack);
    return seen !== null && isSo(seen) ? seen : undefined;
  });
}

/** Lets as long pass as a keeper that could authorise something would need several times over. */
export async function severalLooks(stack: TestStack): Promise<void> {
  const endSeconds = (await stack.driver.rpc.nowSeconds()) + 8n;
  await stack.until('eight seconds to pass', async () =>
    (await stack.driver.rpc.nowSeconds()) >= endSeconds ? true : undefined,
  );
}
