import type { Wallet } from '@core/sdk';
import { createPublicClient, http, toHex } from 'viem';

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

interface Provider {
  request(call: Call): Promise<unknown>;
}

/** The first wallet of the browser that announces itself (EIP-6963), or the one it has always had. */
async function providerOf(): Promise<Provider> {
  const announced = new Promise<Provider>((resolve) => {
    window.addEventListener('eip6963:announceProvider', (event) => {
      resolve((event as CustomEvent<{ readonly provider: Provider }>).detail.provider);
    });
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  const usual = (window as { readonly ethereum?: Provider }).ethereum;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 500));
  const provider = (await Promise.race([announced, late])) ?? usual;
  if (provider === undefined) throw new Error('This browser has no wallet.');
  return provider;
}

/** A wallet as the client takes it: the browser's signs, a node answers everything else. */
export interface BrowserWallet extends Wallet {
  readonly account: { readonly address: string };
  sign(message: string): Promise<string>;
}

/** Asks the wallet for an account. */
export async function connectWallet(rpcUrl: string): Promise<BrowserWallet> {
  const provider = await providerOf();
  const [address] = (await provider.request({ method: 'eth_requestAccounts' })) as readonly string[];
  if (address === undefined) throw new Error('The wallet gave no account.');
  const node = createPublicClient({ transport: http(rpcUrl) });
  return {
    account: { address },
    request: (call: Call) =>
      call.method === 'eth_sendTransaction' ? provider.request(call) : node.request(call as never),
    sign: async (message) =>
      String(await provider.request({ method: 'personal_sign', params: [toHex(message), address] })),
  };
}
