import type { Page } from 'playwright-core';
import { createPublicClient, createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** Reaction of the wallet's owner to a requested transaction. */
export type Answer =
  /** Confirm it. */
  | 'send'
  /** Reject it, as with the button of a wallet. */
  | 'refuse'
  /** Confirm it, and lose the connection before the hash is returned. */
  | 'send-and-fail'
  /** Leave it pending until `confirm` is called. */
  | 'hold'
  /** Leave it pending until `confirm` is called, and never return the hash to the page. */
  | 'hold-and-drop';

/** Controls of a wallet's owner. */
export interface TestWallet {
  /** Set the reaction to transactions to a contract, null for all contracts; any other transaction is confirmed. */
  answer(answer: Answer, to?: Hex | null): void;
  /** Select another chain in the wallet, which then rejects requests to switch; null selects the configured chain. */
  choose(chainId: number | null): void;
  /** Wait until a transaction is pending. */
  waitForRequest(): Promise<void>;
  /** Confirm the pending transaction; resolves when the node has accepted it. */
  confirm(): Promise<void>;
}

/** Error of a request that the owner rejects (EIP-1193). */
const rejection = { code: 4_001, message: 'User rejected the request.' };
/** Error of a wallet without its connection, which may have sent before (EIP-1193). */
const disconnection = { code: 4_900, message: 'The provider is disconnected from all chains.' };

/** Inject a wallet that announces itself to the page (EIP-6963), also after reloads. */
export async function giveBrowserWallet(
  page: Page,
  { rpcUrl, account: { privateKey } }: { readonly rpcUrl: string; readonly account: { readonly privateKey: Hex } },
): Promise<TestWallet> {
  const account = privateKeyToAccount(privateKey);
  const client = createWalletClient({ account, transport: http(rpcUrl) });
  const realChainId = await createPublicClient({ transport: http(rpcUrl) }).getChainId();
  let setting: { readonly answer: Answer; readonly to: Hex | null } = { answer: 'send', to: null };
  let chosenChainId: number | null = null;
  let prompt = Promise.withResolvers<void>();
  let confirmation = Promise.withResolvers<void>();
  let submission = Promise.withResolvers<void>();

  const send = async ({ to, data }: { readonly to: Hex; readonly data: Hex }): Promise<object> => {
    const isTarget = setting.to === null || setting.to.toLowerCase() === to.toLowerCase();
    const answer = isTarget ? setting.answer : 'send';
    if (answer === 'refuse') return { error: rejection };
    const request = { confirmation, submission };
    if (answer.startsWith('hold')) {
      prompt.resolve();
      await request.confirmation.promise;
    }
    const result = await client.sendTransaction({ to, data, chain: null });
    request.submission.resolve();
    if (answer === 'send-and-fail') return { error: disconnection };
    return answer === 'hold-and-drop' ? new Promise(() => undefined) : { result };
  };
  await page.exposeFunction('walletRequest', async ({ method, params = [] }: Call): Promise<object> => {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return { result: [account.address] };
    if (method === 'eth_chainId') return { result: `0x${(chosenChainId ?? realChainId).toString(16)}` };
    if (method === 'wallet_switchEthereumChain') return { error: rejection };
    if (method === 'personal_sign')
      return { result: await account.signMessage({ message: { raw: params[0] as Hex } }) };
    if (method !== 'eth_sendTransaction') throw new Error(`the test wallet does not support ${method}`);
    return send(params[0] as { readonly to: Hex; readonly data: Hex });
  });
  await page.addInitScript(announceWallet);
  return {
    answer: (answer, to = null) => {
      setting = { answer, to };
      prompt = Promise.withResolvers();
      confirmation = Promise.withResolvers();
      submission = Promise.withResolvers();
    },
    choose: (chainId) => {
      chosenChainId = chainId;
    },
    waitForRequest: () => prompt.promise,
    confirm: () => {
      confirmation.resolve();
      return submission.promise;
    },
  };
}

/** Announce the wallet; runs in the page. A rejection is thrown as an error with a code, as in any wallet. */
function announceWallet(): void {
  type Outcome = { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } };
  const ask = (call: unknown): Promise<Outcome> =>
    (Reflect.get(globalThis, 'walletRequest') as (call: unknown) => Promise<Outcome>)(call);
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
