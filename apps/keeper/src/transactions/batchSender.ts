import type { Clock } from '@core/runtime';
import type { Lease } from '@core/store';
import type { Address, Hex } from 'viem';
import { type Intent, type Intents, unfinishedStates } from './intents.ts';
import type { Operation, PlanOf } from './intentTable.ts';
import type { SendOutcome, TransactionSender } from './transactionSender.ts';

/** Operations that a batch may carry out for its members. */
type MemberOperation = {
  [Name in Operation]: Extract<PlanOf<Name>, { kind: 'member' }> extends never ? never : Name;
}[Operation];
type MemberPlan<Name extends MemberOperation> = Extract<PlanOf<Name>, { kind: 'member' }>;

/** Member of a batch: the position, and what its later steps read. */
export type BatchMember = {
  [Name in MemberOperation]: {
    readonly subject: Hex;
    readonly operation: Name;
    readonly attempt: number;
    readonly plan: MemberPlan<Name>;
  };
}[MemberOperation];

/** One transaction for several positions. */
export interface BatchRequest {
  /** Hash of the consent to it, its subject: a batch is sent once. */
  readonly batch: Hex;
  readonly members: readonly BatchMember[];
  readonly call: { readonly to: Address; readonly data: Hex; readonly gas: bigint };
  readonly decidedAtMs: number;
  readonly lease: Lease;
}

export interface BatchSenderOptions {
  readonly intents: Pick<Intents, 'prepare' | 'reopen' | 'change' | 'ofSubjects'>;
  readonly sender: Pick<TransactionSender, 'send' | 'resume'>;
  readonly clock: Clock;
}

/**
 * Transactions that act for several positions. The intents of the members are stored before that of the batch, which is
 * stored before anything is signed; the members have its states from then on.
 */
export class BatchSender {
  readonly #options: BatchSenderOptions;

  constructor(options: BatchSenderOptions) {
    this.#options = options;
  }

  async send({ batch, members, call, decidedAtMs, lease }: BatchRequest): Promise<SendOutcome> {
    await Promise.all(members.map((member) => this.#prepare(member, batch, lease)));
    const plan = { kind: 'transaction', ...call, details: { decidedAtMs } } as const;
    return this.#options.sender.send({ subject: batch, operation: 'authorize_batch', attempt: 1, plan, lease });
  }

  /** Continue the batch of a member that is under way; a member whose batch was never stored is dropped. */
  async resume({ id }: Intent, batch: Hex): Promise<void> {
    const { intents, sender, clock } = this.#options;
    const [intent] = await intents.ofSubjects([batch], 'authorize_batch');
    const outcome = intent === undefined ? null : await sender.resume(intent);
    // A member under way moves with its batch; this one ended before.
    const to = outcome?.kind === 'included' ? 'included' : 'dropped';
    await intents.change({ id, from: unfinishedStates, to, nowMs: clock.nowMs() });
  }

  /** Store the intent of a member, in the row of an attempt that was refused before if there is one. */
  async #prepare({ subject, operation, attempt, plan }: BatchMember, batch: Hex, lease: Lease): Promise<void> {
    const { intents, clock } = this.#options;
    const member = { operation, plan, orderHash: batch, lease, nowMs: clock.nowMs() };
    const { intent } = await intents.prepare({ subject, attempt, ...member });
    if (intent.state === 'dropped') await intents.reopen(intent.id, member);
  }
}
