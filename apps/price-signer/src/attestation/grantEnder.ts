import { type Signer, vaultAbi } from '@core/vault';
import {
  type Address,
  createWalletClient,
  custom,
  defineChain,
  hexToBytes,
  type LocalAccount,
  type PublicClient,
  parseSignature,
  serializeTransaction,
} from 'viem';
import { toAccount } from 'viem/accounts';
import type { GrantEnder } from './grantWatch.ts';

/**
 * Build the sender of `endGrant`, which reads and sends at the nodes of the client. The vault knows the signer by the
 * key that signs attestations, so that one sends.
 */
export function grantEnder({
  client,
  chainId,
  vault,
  signer,
}: {
  readonly client: PublicClient;
  readonly chainId: number;
  readonly vault: Address;
  readonly signer: Signer;
}): GrantEnder {
  const chain = defineChain({
    id: chainId,
    name: String(chainId),
    nativeCurrency: { name: 'native', symbol: 'native', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  const account = accountOf(signer);
  const wallet = createWalletClient({ account, chain, transport: custom(client, { retryCount: 0 }) });
  return {
    async endGrant(positionKey) {
      await wallet.writeContract({ address: vault, abi: vaultAbi, functionName: 'endGrant', args: [positionKey] });
    },
  };
}

/** Account of a key that signs transactions alone. */
function accountOf(signer: Signer): LocalAccount {
  const refuse = () => Promise.reject(new Error('this account signs transactions only'));
  return toAccount({
    address: signer.address,
    signMessage: refuse,
    signTypedData: refuse,
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const signature = await signer.signMessage(hexToBytes(await serializer(transaction)));
      return serializer(transaction, parseSignature(signature));
    },
  });
}
