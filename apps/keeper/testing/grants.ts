import type { LocalAccount, LocalPosition } from '@core/contracts/local';
import { pricePips, rateBps } from '@core/pricing';
import {
  attestationSignaturesOf,
  conditionalTokensAbi,
  type GrantAttestation,
  Purpose,
  SigningKey,
  signGrantAttestation,
  toGrantAttestationStruct,
  vaultAbi,
} from '@core/vault';
import { encodeFunctionData, type Hex } from 'viem';
import type { TestConnections } from './startTestConnections.ts';

type World = Pick<TestConnections, 'driver' | 'deployment'>;

/** USDC that a grant of these tests trades for 200 tokens. */
const notionalUsdcUnits = 100_000_000n;
const manyUnits = 1_000_000_000n;

/** Authorise the opening of a position by a grant at half a dollar, with the consent of both price signers. */
export async function grantOpening({ driver, deployment }: World, position: LocalPosition): Promise<void> {
  const { roles, contracts, chainId } = deployment;
  const nowSeconds = await driver.rpc.nowSeconds();
  const attestation: GrantAttestation = {
    positionKey: position.positionKey,
    marketId: position.token.conditionId,
    tokenId: position.token.tokenId,
    purpose: Purpose.Open,
    markPips: pricePips(5_000n),
    limitPips: pricePips(5_000n),
    triggerPips: pricePips(0n),
    venueFeeBps: rateBps(0n),
    exitBufferBps: rateBps(800n),
    observedAt: nowSeconds,
    mostUnits: notionalUsdcUnits,
    validFor: 20,
    notAfter: nowSeconds + 60n,
  };
  const domain = { chainId, vault: contracts.vault };
  const answers = [roles.priceSigner, roles.secondPriceSigner].map(async ({ privateKey }) => {
    const key = new SigningKey(privateKey);
    return { signer: key.address, signature: (await signGrantAttestation(key, attestation, domain)).signature };
  });
  const signatures = attestationSignaturesOf(await Promise.all(answers));
  const struct = toGrantAttestationStruct(attestation);
  const args = [position.positionKey, Purpose.Open, notionalUsdcUnits, struct, signatures] as const;
  await call(
    { driver, deployment },
    roles.keeper,
    encodeFunctionData({ abi: vaultAbi, functionName: 'authorizeGrant', args }),
  );
}

/** Return true while a grant of a position has not been ended, though its time may be over. */
export async function isGranted({ driver, deployment }: World, { positionKey }: LocalPosition): Promise<boolean> {
  const grant = { address: deployment.contracts.vault, abi: vaultAbi, functionName: 'grantOf' } as const;
  const { purpose } = await driver.rpc.client.readContract({ ...grant, args: [positionKey] });
  return purpose !== Purpose.None;
}

/** End a grant as one price signer alone. */
export function endGrant(world: World, { positionKey }: LocalPosition): Promise<void> {
  const data = encodeFunctionData({ abi: vaultAbi, functionName: 'endGrant', args: [positionKey] });
  return call(world, world.deployment.roles.priceSigner, data);
}

/** Fill a grant wholly, with tokens of a maker. */
export async function fillGrant(world: World, maker: LocalAccount, { positionKey }: LocalPosition): Promise<void> {
  const { driver, deployment } = world;
  const { vault, conditionalTokens } = deployment.contracts;
  const approval = { functionName: 'setApprovalForAll', args: [vault, true] } as const;
  await driver.rpc.send(maker, {
    to: conditionalTokens,
    data: encodeFunctionData({ abi: conditionalTokensAbi, ...approval }),
  });
  const quote = { address: vault, abi: vaultAbi, functionName: 'quoteFill', args: [positionKey, manyUnits] } as const;
  const [giveUnits, takeUnits] = await driver.rpc.client.readContract(quote);
  const args = [positionKey, giveUnits, takeUnits, '0x'] as const;
  await call(world, maker, encodeFunctionData({ abi: vaultAbi, functionName: 'fill', args }));
}

async function call({ driver, deployment }: World, sender: LocalAccount, data: Hex): Promise<void> {
  await driver.rpc.send(sender, { to: deployment.contracts.vault, data });
}
