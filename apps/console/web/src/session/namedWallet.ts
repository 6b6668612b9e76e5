import type { Wallet } from '../chain/wallet.ts';
import type { NamedAccount, PageConfig } from '../pageConfig.ts';

/** Return the wallet of a local chain's development account. Its key is public and is stored in `config.json` only. */
export function namedWalletOf(account: NamedAccount, config: Pick<PageConfig, 'rpcUrl' | 'chainId'>): Wallet {
  const signer = async () => {
    const { localSignerOf } = await import('../chain/localSigner.ts');
    return localSignerOf(account.privateKey, config);
  };
  return {
    name: account.name,
    connect: async () => account.address,
    has: async (address) => address.toLowerCase() === account.address.toLowerCase(),
    signMessage: async (_address, message) => (await signer()).signMessage(message),
    send: async (_address, call) => (await signer()).send(call),
  };
}
