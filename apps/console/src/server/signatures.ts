import { chainClientOf } from '@core/runtime';
import { type Address, type Hex, verifyMessage } from 'viem';

/** Message with its signature and the claimed signer. */
export interface SignedMessage {
  readonly address: Address;
  readonly message: string;
  readonly signature: Hex;
}

/** Return true when the wallet signed the message. @throws ChainUnavailableError when the chain does not respond. */
export type IsSignedBy = (signed: SignedMessage) => Promise<boolean>;

/** Error for a signature of a contract wallet that could not be verified on chain. */
export class ChainUnavailableError extends Error {
  override readonly name = 'ChainUnavailableError';
}

const timeoutMs = 5_000;

/**
 * Build the signature check. The signature of a key is recovered locally. Any other is verified by the contract at the
 * address (ERC-1271), or by the one that the signature would deploy there (ERC-6492).
 */
export function signatureCheck(rpcUrl: string): IsSignedBy {
  const client = chainClientOf({ rpcUrl, timeoutMs, retryCount: 1 });
  return async (signed) => {
    if (await isOwnSignature(signed)) return true;
    // Detects an unreachable chain: a failed call is otherwise reported like an invalid signature.
    const code = await client.getCode({ address: signed.address }).catch((cause: unknown) => {
      throw new ChainUnavailableError('the chain does not respond', { cause });
    });
    const isWrapped = signed.signature.endsWith(erc6492Suffix);
    return code === undefined && !isWrapped ? false : client.verifyMessage(signed);
  };
}

/** Last 32 bytes of a signature of an undeployed wallet (ERC-6492). */
const erc6492Suffix = '6492'.repeat(16);

/** Return true when a key of the address signed the message; false for a malformed signature. */
async function isOwnSignature(signed: SignedMessage): Promise<boolean> {
  try {
    return await verifyMessage(signed);
  } catch (cause) {
    if (cause instanceof Error) return false;
    throw cause;
  }
}
