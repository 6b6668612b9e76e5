import type { AttestationRequest } from '@core/attestation';
import type { QuotedRisk } from '@core/position';
import { quotedRiskDigest, recoverQuoteSigner, vaultAbi } from '@core/vault';
import { type Address, isAddressEqual, isHex, type PublicClient } from 'viem';

/**
 * Return the risk terms of the position's quote when the vault's quote signer signed them; null otherwise. A keeper can
 * omit them, and then the cover is judged at the default exit time and no rung is due, but it cannot change them.
 */
export async function verifiedRiskOf(
  { client, chainId, vault }: { readonly client: PublicClient; readonly chainId: number; readonly vault: Address },
  { positionKey, quotedRisk }: Pick<AttestationRequest, 'positionKey' | 'quotedRisk'>,
): Promise<QuotedRisk | null> {
  if (quotedRisk === null || !isHex(quotedRisk.signature)) return null;
  const digest = quotedRiskDigest({ ...quotedRisk, positionKey, chainId, vault });
  const { signature } = quotedRisk;
  const [signer, quoteSigner] = await Promise.all([
    recoverQuoteSigner({ digest, signature }),
    client.readContract({ address: vault, abi: vaultAbi, functionName: 'quoteSigner' }),
  ]);
  return signer !== null && isAddressEqual(signer, quoteSigner) ? quotedRisk : null;
}
