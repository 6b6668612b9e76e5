import { type Signer, vaultAbi } from '@core/vault';
import {
  type Address,
  createWalletClient,
  defineChain,
  hexToBytes,
  http,
  type LocalAccount,
  parseSignature,
  serializeTransaction,
} from 'viem';
import { toAccount } from 'viem/accounts';
import type { GrantEnder } from './grantWatch.ts';

/** Build the sender of `endGrant`. The vault knows the signer by the key that signs attestations, so that one sends. */
export function grantEnder({
  rpcUrl,
  chainId,
  vault,
  signer,
}: {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly vault: Address;
  readonly signer: Signer;
}): GrantEnder {
  const chain = defineChain({
    id: chainId,
    name: String(chainId),
    nativeCurrency: { name: 'native', symbol: 'native', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const account = accountOf(signer);
  const client = createWalletClient({ account, chain, transport: http(rpcUrl, { retryCount: 0 }) });
  return {
    async endGrant(positionKey) {
      await client.writeContract({ address: vault, abi: vaultAbi, functionName: 'endGrant', args: [positionKey] });
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
