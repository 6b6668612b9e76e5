import type { LocalDriver, LocalPosition } from '@core/contracts/local';
import { pricePips, rateBps } from '@core/pricing';
import {
  attestationSignaturesOf,
  type GrantAttestation,
  type Purpose,
  SigningKey,
  signGrantAttestation,
  toGrantAttestationStruct,
  vaultAbi,
} from '@core/vault';
import { encodeFunctionData, toHex } from 'viem';

/** Terms of a grant that a test authorises. */
export interface GrantTerms {
  readonly purpose: Purpose;
  readonly maximumUnits: bigint;
  readonly markPips: bigint;
  readonly limitPips: bigint;
  readonly venueFeeBps?: bigint;
  readonly validFor?: number;
}

/** Create a position of alice's: 50 USDC at 2x. */
export async function createAlicePosition(
  driver: LocalDriver,
  {
    token,
    seed,
    minPositionTokenUnits = 0n,
    minFillBps = 10_000,
  }: {
    readonly token: LocalPosition['token'];
    readonly seed: bigint;
    readonly minPositionTokenUnits?: bigint;
    readonly minFillBps?: number;
  },
): Promise<LocalPosition> {
  const { alice } = driver.deployment.roles;
  const fields = await driver.quoteFields({
    user: alice,
    token,
    positionSeed: toHex(seed << 64n, { size: 16 }),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
  return driver.createPosition({
    sender: alice,
    fields,
    signature: driver.signQuote(fields),
    limits: { venueFeeUsdcUnits: 10_000_000n, minPositionTokenUnits, minFillBps },
  });
}

/** Authorise a grant as the keeper does, with the consent of both price signers. */
export async function authorizeGrant(driver: LocalDriver, position: LocalPosition, terms: GrantTerms): Promise<void> {
  const { roles, contracts, chainId } = driver.deployment;
  const nowSeconds = await driver.rpc.nowSeconds();
  const attestation: GrantAttestation = {
    positionKey: position.positionKey,
    marketId: position.token.conditionId,
    tokenId: position.token.tokenId,
    purpose: terms.purpose,
    markPips: pricePips(terms.markPips),
    limitPips: pricePips(terms.limitPips),
    triggerPips: pricePips(0n),
    venueFeeBps: rateBps(terms.venueFeeBps ?? 400n),
    exitBufferBps: rateBps(800n),
    observedAt: nowSeconds,
    mostUnits: terms.maximumUnits,
    validFor: terms.validFor ?? 20,
    notAfter: nowSeconds + 60n,
  };
  const signatures = attestationSignaturesOf(
    await Promise.all(
      [roles.priceSigner, roles.secondPriceSigner].map(async ({ privateKey }) => {
        const key = new SigningKey(privateKey);
        const domain = { chainId, vault: contracts.vault };
        return { signer: key.address, signature: (await signGrantAttestation(key, attestation, domain)).signature };
      }),
    ),
  );
  const args = [
    position.positionKey,
    terms.purpose,
    terms.maximumUnits,
    toGrantAttestationStruct(attestation),
    signatures,
  ] as const;
  const data = encodeFunctionData({ abi: vaultAbi, functionName: 'authorizeGrant', args });
  await driver.rpc.send(roles.keeper, { to: contracts.vault, data });
}
