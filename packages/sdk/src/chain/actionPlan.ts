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
  /** Step: a transaction was sent. */
  | { readonly step: 'send'; readonly hash: string }
  /** Step: the call is in a block, and the service has to process it. */
  | { readonly step: 'wait'; readonly hash: string }
  | { readonly step: 'done'; readonly result: Result };

/** Plan of an action. `request` reads the chain; it is null when only the plain transactions are needed. */
export interface ActionPlan<Result> {
  /** Refuse unusable arguments before any other work. */
  readonly check: () => void;
  /** Own transactions of the client, shared by its actions. */
  readonly writes: OwnWrites;
  /** Return the ID of the transactions' chain. */
  readonly chainId: () => Promise<number>;
  readonly transactions: (request: RpcRequest | null, account: string | null) => Promise<readonly PlannedTransaction[]>;
  /** Wait until the service shows the effect of the call. */
  readonly result: (hash: string) => Promise<Result>;
}
