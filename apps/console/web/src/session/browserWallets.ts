import { isHex } from '../chain/isHex.ts';
import type { Hex, Wallet } from '../chain/wallet.ts';
import type { PageConfig } from '../pageConfig.ts';

/** Part of EIP-1193 that the console uses. */
interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on?(event: 'accountsChanged' | 'chainChanged', listener: () => void): void;
}

interface ProviderAnnouncement {
  readonly info: { readonly uuid: string; readonly name: string };
  readonly provider: Provider;
}

declare global {
  interface WindowEventMap {
    'eip6963:announceProvider': CustomEvent<ProviderAnnouncement>;
  }
}

/** Chain of the page, which a wallet may have to add. */
export type Network = Pick<PageConfig, 'chainId' | 'rpcUrl'>;

interface WalletListeners {
  readonly onWallet: (wallet: Wallet) => void;
  /** Called when a wallet changes its accounts or its chain. */
  readonly onChange?: () => void;
}

/** Error of a wallet that has not switched to the chain of this page; nothing was signed. */
class ChainMismatchError extends Error {
  override readonly name = 'ChainMismatchError';
}

/** Error code of a wallet that does not know a chain (EIP-3326). */
const unknownChainCode = 4_902;
/** Delay before a wallet counts as one that does not announce itself. */
const announcementMs = 300;

/**
 * Call back with every browser wallet that announces itself (EIP-6963), now and later; without any, with the one at
 * `window.ethereum`.
 */
export function followBrowserWallets(network: Network, { onWallet, onChange }: WalletListeners): () => void {
  const announcedIds = new Set<string>();
  const add = ({ info, provider }: ProviderAnnouncement): void => {
    if (announcedIds.has(info.uuid)) return;
    announcedIds.add(info.uuid);
    provider.on?.('accountsChanged', () => onChange?.());
    provider.on?.('chainChanged', () => onChange?.());
    onWallet(browserWalletOf({ info, provider }, network));
  };
  const onAnnounce = ({ detail }: CustomEvent<ProviderAnnouncement>): void => add(detail);
  globalThis.addEventListener('eip6963:announceProvider', onAnnounce);
  globalThis.dispatchEvent(new Event('eip6963:requestProvider'));
  const timer = setTimeout(() => {
    const provider: unknown = Reflect.get(globalThis, 'ethereum');
    if (announcedIds.size > 0 || !isProvider(provider)) return;
    add({ info: { uuid: 'window.ethereum', name: 'Browser wallet' }, provider });
  }, announcementMs);
  return () => {
    clearTimeout(timer);
    globalThis.removeEventListener('eip6963:announceProvider', onAnnounce);
  };
}

function browserWalletOf({ info, provider }: ProviderAnnouncement, network: Network): Wallet {
  return {
    name: info.name,
    connect: async () => {
      const [address] = accountsIn(await provider.request({ method: 'eth_requestAccounts' }));
      if (address === undefined) throw new Error(`${info.name} has no account for this page.`);
      return address;
    },
    has: async (address) => {
      const accounts = accountsIn(await provider.request({ method: 'eth_accounts' }));
      return accounts.some((account) => account.toLowerCase() === address.toLowerCase());
    },
    signMessage: async (address, message) =>
      hexIn(await provider.request({ method: 'personal_sign', params: [hexOfText(message), address] })),
    send: async (address, call) => {
      await selectChain(provider, network).catch(() => {
        throw new ChainMismatchError(`${info.name} is on another network. Switch it to chain ${network.chainId}.`);
      });
      return hexIn(await provider.request({ method: 'eth_sendTransaction', params: [{ from: address, ...call }] }));
    },
  };
}

const isProvider = (value: unknown): value is Provider => typeof Object(value).request === 'function';

const accountsIn = (answer: unknown): readonly Hex[] => (Array.isArray(answer) ? answer.filter(isHex) : []);

/** @throws Error for an answer that is neither a signature nor a hash. */
function hexIn(answer: unknown): Hex {
  if (!isHex(answer)) throw new Error('The wallet returned neither a signature nor a hash.');
  return answer;
}

/** Have the wallet select the chain, and add it first where the wallet does not know it. */
async function selectChain(provider: Provider, { chainId, rpcUrl }: Network): Promise<void> {
  const chainHex = `0x${chainId.toString(16)}`;
  if ((await provider.request({ method: 'eth_chainId' })) === chainHex) return;
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: chainHex }] });
  } catch (cause) {
    if (Reflect.get(Object(cause), 'code') !== unknownChainCode) throw cause;
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
    const chain = { chainId: chainHex, chainName: `Chain ${chainId}`, rpcUrls: [rpcUrl], nativeCurrency };
    await provider.request({ method: 'wallet_addEthereumChain', params: [chain] });
  }
}

function hexOfText(text: string): Hex {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'));
  return `0x${bytes.join('')}`;
}
