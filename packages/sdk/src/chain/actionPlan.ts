import type { OwnWrites } from './ownWrites.ts';
import type { RpcRequest } from './rpc.ts';
import type { Transaction } from './wallet.ts';

/** Transaction of an action; allowances come first. */
export interface PlannedTransaction extends Transaction {
  readonly purpose: 'approve' | 'call';
  /** Read whether the effect of the transaction exists, under any hash; undefined where nothing proves it. */
  readonly isEffective?: (() => Promise<boolean>) | undefined;
}

/** Progress of an action, the same for a page, a terminal and a hardware wallet. */
export type Step<Result> =
  /** Step: the wallet is asked to sign an allowance. */
  | { readonly step: 'approve'; readonly transaction: Transaction }
  /** Step: the wallet is asked to sign the call itself. */
  | { readonly step: 'sign'; readonly transaction: Transaction }
  /** Step: a transaction was sent; the hash is empty where only its effect is known. */
  | { readonly step: 'send'; readonly hash: string }
  /** Step: the call is in a block, and the service has to process it. */
  | { readonly step: 'wait'; readonly hash: string }
  /** Step: the result, with the block up to which the service had read the chain; null when it did not say. */
  | { readonly step: 'done'; readonly result: Result; readonly block: number | null };

/** Call that is in a block. The block is null where only the effect is known, and the hash may be empty. */
export interface MinedCall {
  readonly hash: string;
  readonly block: number | null;
}

/** Value of the service, with the block up to which it had read the chain; null when it did not say. */
export interface Shown<Value> {
  readonly result: Value;
  readonly block: number | null;
}

/** Plan of an action. `request` reads the chain; it is null when only the plain transactions are needed. */
export interface ActionPlan<Result> {
  /** Refuse unusable arguments before any other work. */
  readonly check: () => void;
  /** Own transactions of the client, shared by its actions. */
  readonly writes: OwnWrites;
  /** Return the ID of the transactions' chain. */
  readonly chainId: () => Promise<number>;
  readonly transactions: (request: RpcRequest | null, account: string | null) => Promise<readonly PlannedTransaction[]>;
  /** Wait until the service shows the effect of the call, as of its block or later. */
  readonly result: (call: MinedCall) => Promise<Shown<Result>>;
  /** True where no state shows the effect, so that only the hash proves the call. */
  readonly needsHash?: boolean;
}
