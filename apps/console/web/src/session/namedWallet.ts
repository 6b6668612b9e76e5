import type { Wallet } from '../chain/wallet.ts';
import type { NamedAccount, PageConfig } from '../pageConfig.ts';

/** A development account of a local chain. Its key is public, stands in `config.json`, and is kept nowhere else. */
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
