import type { QuotedRisk } from '@core/position';
import { type AttestationRequest, quotedRiskDigest, recoverQuoteSigner, vaultAbi } from '@core/vault';
import { type Address, isAddressEqual, type PublicClient } from 'viem';

/**
 * What the position's quote fixed, when the vault's quote signer has signed it; null for anything else. A keeper
 * can leave it out, and then the cover is judged at the usual exit time and no rung is due, but cannot change it.
 */
export async function believedRiskOf(
  { client, chainId, vault }: { readonly client: PublicClient; readonly chainId: number; readonly vault: Address },
  { positionKey, quotedRisk }: Pick<AttestationRequest, 'positionKey' | 'quotedRisk'>,
): Promise<QuotedRisk | null> {
  if (quotedRisk === null) return null;
  const digest = quotedRiskDigest({ ...quotedRisk, positionKey, chainId, vault });
  const signature = quotedRisk.signature as `0x${string}`;
  const [signer, quoteSigner] = await Promise.all([
    recoverQuoteSigner({ digest, signature }),
    client.readContract({ address: vault, abi: vaultAbi, functionName: 'quoteSigner' }),
  ]);
  return signer !== null && isAddressEqual(signer, quoteSigner) ? quotedRisk : null;
}
