import type { Wallet } from '@core/sdk';
import { createPublicClient, http, toHex } from 'viem';

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

interface Provider {
  request(call: Call): Promise<unknown>;
}

declare global {
  interface WindowEventMap {
    'eip6963:announceProvider': CustomEvent<{ readonly provider: Provider }>;
  }
  interface Window {
    readonly ethereum?: Provider;
  }
}

/** Return the first wallet that the browser announces (EIP-6963), or the legacy injected one. */
async function providerOf(): Promise<Provider> {
  const announced = new Promise<Provider>((resolve) => {
    window.addEventListener('eip6963:announceProvider', (event) => {
      resolve(event.detail.provider);
    });
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  const usual = window.ethereum;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 500));
  const provider = (await Promise.race([announced, late])) ?? usual;
  if (provider === undefined) throw new Error('This browser has no wallet.');
  return provider;
}

/** Wallet of the browser as the client uses it: it signs and names its chain, a node answers every other request. */
export interface BrowserWallet extends Wallet {
  readonly account: { readonly address: string };
  sign(message: string): Promise<string>;
}

/** Methods that only the wallet can answer. */
const ofProvider = new Set(['eth_chainId', 'eth_sendTransaction']);

/** Ask the wallet for an account. */
export async function connectWallet(rpcUrl: string): Promise<BrowserWallet> {
  const provider = await providerOf();
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof address !== 'string') throw new Error('The wallet gave no account.');
  const node = createPublicClient({ transport: http(rpcUrl) });
  return {
    account: { address },
    request: (call: Call) =>
      ofProvider.has(call.method)
        ? provider.request(call)
        : node.request<{ Parameters: unknown; ReturnType: unknown }>({ params: [], ...call }),
    sign: async (message) =>
      String(await provider.request({ method: 'personal_sign', params: [toHex(message), address] })),
  };
}
