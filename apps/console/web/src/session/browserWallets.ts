import type { Hex, Wallet } from '../chain/wallet.ts';

/** The part of EIP-1193 that is used here. */
interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

interface Announced {
  readonly info: { readonly uuid: string; readonly name: string };
  readonly provider: Provider;
}

/** Calls back with every wallet of the browser that announces itself (EIP-6963), now and later. */
export function followBrowserWallets(chainId: number, onWallet: (wallet: Wallet) => void): () => void {
  const seen = new Set<string>();
  const hear = (event: Event): void => {
    const { info, provider } = (event as CustomEvent<Announced>).detail;
    if (seen.has(info.uuid)) return;
    seen.add(info.uuid);
    onWallet(browserWalletOf({ info, provider }, chainId));
  };
  globalThis.addEventListener('eip6963:announceProvider', hear);
  globalThis.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => globalThis.removeEventListener('eip6963:announceProvider', hear);
}

function browserWalletOf({ info, provider }: Announced, chainId: number): Wallet {
  const chainHex = `0x${chainId.toString(16)}`;
  return {
    name: info.name,
    connect: async () => {
      const [address] = (await provider.request({ method: 'eth_requestAccounts' })) as Hex[];
      if (address === undefined) throw new Error(`${info.name} has no account for this page.`);
      return address;
    },
    has: async (address) => {
      const accounts = (await provider.request({ method: 'eth_accounts' })) as Hex[];
      return accounts.some((account) => account.toLowerCase() === address.toLowerCase());
    },
    signMessage: async (address, message) =>
      (await provider.request({ method: 'personal_sign', params: [hexOfText(message), address] })) as Hex,
    send: async (address, call) => {
      if ((await provider.request({ method: 'eth_chainId' })) !== chainHex) {
        await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: chainHex }] }).catch(() => {
          throw new Error(`${info.name} is on another chain and has not switched: choose the chain ${chainId} in it.`);
        });
      }
      return (await provider.request({ method: 'eth_sendTransaction', params: [{ from: address, ...call }] })) as Hex;
    },
  };
}

function hexOfText(text: string): Hex {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'));
  return `0x${bytes.join('')}`;
}
