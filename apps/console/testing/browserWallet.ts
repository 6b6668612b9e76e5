import type { Page } from 'playwright-core';
import { createPublicClient, createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** What the owner of the wallet does with a transaction that it is asked to send. */
export type Answer =
  /** Confirms it. */
  | 'send'
  /** Refuses it, as by the button of a wallet. */
  | 'refuse'
  /** Does nothing until `confirm` is called. */
  | 'hold'
  /** Does nothing until `confirm` is called, of which the page never hears. */
  | 'hold-unheard';

/** The owner's side of a wallet. */
export interface TestWallet {
  /** What becomes of transactions to a contract; every other is sent. Null: of all. */
  answer(answer: Answer, to?: Hex | null): void;
  /** Another chain is chosen in the wallet, which does not switch when it is asked. */
  choose(chainId: number | null): void;
  /** Resolves when a transaction is held. */
  asked(): Promise<void>;
  /** Confirms what is held; resolves when the node has it. */
  confirm(): Promise<void>;
}

/** The code of a wallet whose owner refuses (EIP-1193). */
const refused = { code: 4_001, message: 'User rejected the request.' };

/** Gives a page a wallet that announces itself as wallets of a browser do (EIP-6963). It outlives reloads. */
export async function giveBrowserWallet(
  page: Page,
  { rpcUrl, account: { privateKey } }: { readonly rpcUrl: string; readonly account: { readonly privateKey: Hex } },
): Promise<TestWallet> {
  const account = privateKeyToAccount(privateKey);
  const client = createWalletClient({ account, transport: http(rpcUrl) });
  const realChainId = await createPublicClient({ transport: http(rpcUrl) }).getChainId();
  let wanted: { readonly answer: Answer; readonly to: Hex | null } = { answer: 'send', to: null };
  let chosenChainId: number | null = null;
  let asked = Promise.withResolvers<void>();
  let confirmed = Promise.withResolvers<void>();
  let sent = Promise.withResolvers<void>();

  const send = async ({ to, data }: { readonly to: Hex; readonly data: Hex }): Promise<object> => {
    const isMeant = wanted.to === null || wanted.to.toLowerCase() === to.toLowerCase();
    const answer = isMeant ? wanted.answer : 'send';
    if (answer === 'refuse') return { error: refused };
    const held = { confirmed, sent };
    if (answer !== 'send') {
      asked.resolve();
      await held.confirmed.promise;
    }
    const result = await client.sendTransaction({ to, data, chain: null });
    held.sent.resolve();
    return answer === 'hold-unheard' ? new Promise(() => undefined) : { result };
  };
  await page.exposeFunction('walletRequest', async ({ method, params = [] }: Call): Promise<object> => {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return { result: [account.address] };
    if (method === 'eth_chainId') return { result: `0x${(chosenChainId ?? realChainId).toString(16)}` };
    if (method === 'wallet_switchEthereumChain') return { error: refused };
    if (method === 'personal_sign')
      return { result: await account.signMessage({ message: { raw: params[0] as Hex } }) };
    if (method !== 'eth_sendTransaction') throw new Error(`the test wallet knows no ${method}`);
    return send(params[0] as { readonly to: Hex; readonly data: Hex });
  });
  await page.addInitScript(announceWallet);
  return {
    answer: (answer, to = null) => {
      wanted = { answer, to };
      asked = Promise.withResolvers();
      confirmed = Promise.withResolvers();
      sent = Promise.withResolvers();
    },
    choose: (chainId) => {
      chosenChainId = chainId;
    },
    asked: () => asked.promise,
    confirm: () => {
      confirmed.resolve();
      return sent.promise;
    },
  };
}

/** Runs in the page. A refusal reaches it as an error with a code, as that of any wallet. */
function announceWallet(): void {
  type Answered = { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } };
  const ask = (call: unknown): Promise<Answered> =>
    (Reflect.get(globalThis, 'walletRequest') as (call: unknown) => Promise<Answered>)(call);
  const provider = {
    request: async (call: unknown): Promise<unknown> => {
      const { result, error } = await ask(call);
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
  };
  const detail = { info: { uuid: 'test', name: 'Test wallet' }, provider };
  const announce = (): boolean => globalThis.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  globalThis.addEventListener('eip6963:requestProvider', announce);
}
