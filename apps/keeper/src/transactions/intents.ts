import type { IntentRecord, IntentState, IntentStore, Lease, NewIntent } from '@core/store';
import {
  type CallOf,
  type CallOperation,
  intentTable,
  isOperation,
  type Operation,
  type OutcomeOf,
  type PlanOf,
} from './intentTable.ts';

type AnyIntent = {
  [Name in Operation]: Omit<IntentRecord, 'operation' | 'plan' | 'outcome'> & {
    readonly operation: Name;
    readonly plan: PlanOf<Name>;
    readonly outcome: OutcomeOf<Name> | null;
  };
}[Operation];

/** An intent as its operation defines it. */
export type Intent<Name extends Operation = Operation> = Extract<AnyIntent, { readonly operation: Name }>;

/** An intent whose effect is a transaction of ours. */
export type CallIntent<Name extends CallOperation = CallOperation> = Intent<Name> & { readonly plan: CallOf<Name> };

/** States in which an intent is still under way. */
export const unfinishedStates: readonly IntentState[] = ['prepared', 'signed', 'broadcast', 'reorged'];

type Prepared<Name extends Operation> = Pick<NewIntent, 'subject' | 'attempt' | 'orderHash' | 'nowMs'> & {
  readonly operation: Name;
  readonly plan: PlanOf<Name>;
  /** The lock this is done under: a holder that was replaced prepares nothing. */
  readonly lease: Lease;
};

type Kept =
  | 'change'
  | 'pinNonce'
  | 'dropUnsigned'
  | 'addTransaction'
  | 'transactions'
  | 'markBroadcast'
  | 'raiseNonce'
  | 'assignNonce';

/** The store of intents, typed by operation. What is read is checked against the table. */
export interface Intents extends Pick<IntentStore, Kept> {
  /** The intent of this subject, operation and attempt; `isNew` when nothing was known of it before. */
  prepare<Name extends Operation>(
    intent: Prepared<Name>,
  ): Promise<{ readonly intent: Intent<Name>; readonly isNew: boolean }>;
  byId(id: string): Promise<Intent | null>;
  /** What is under way on a subject, and what a decision about it reads of the rest; oldest first. */
  recent(subject: string): Promise<readonly Intent[]>;
  /** All attempts of an operation on several subjects, oldest first. */
  ofSubjects<Name extends Operation>(subjects: readonly string[], operation: Name): Promise<readonly Intent<Name>[]>;
  inStates(states: readonly IntentState[]): Promise<readonly Intent[]>;
  isNonceOwned(signerAddress: string, nonce: number): Promise<boolean>;
}

type IntentReader = Pick<IntentStore, 'ofSubject'>;

/**
 * A live order is one of the last authorised: while it lives no other is, and each that failed beside it was stopped by
 * it at once.
 */
const keptOrders = 8;

/**
 * How many of the newest attempts of each operation a decision may read, so that a look at a position costs the same
 * however old it is. Attempts are numbered from 1 without a gap: the newest one says how many there were, and that of a
 * call is all that is asked for.
 */
const keptAttempts: Readonly<Record<Exclude<Operation, 'fill_gap'>, number>> = {
  register_outcome: 1,
  authorize_open: keptOrders,
  // Past thirty doublings the delay between two closes is the longest one, whatever was before.
  authorize_close: 32,
  // Orders of the last minute, one in a second at most, say how much smaller the next one is.
  authorize_unwind: 64,
  authorize_liquidate: keptOrders,
  // A ghost fill among all orders of an opening counts, and there are few.
  post_open: 64,
  post_close: keptOrders,
  post_unwind: keptOrders,
  post_liquidate: keptOrders,
  finalize_open: 1,
  finalize_close: 1,
  finalize_unwind: 1,
  finalize_liquidate: 1,
  finalize_none: 1,
  refund: 1,
  settle: 1,
  defer_close: 1,
};

export function intentsOf(store: IntentStore): Intents {
  return {
    ...store,
    async prepare({ lease, ...intent }) {
      const fence = { lockName: lease.name, fenceToken: lease.fenceToken };
      const prepared = await store.prepare({ ...intent, ...fence });
      return { intent: intentOf(prepared.intent, intent.operation), isNew: prepared.created };
    },
    async byId(id) {
      const record = await store.byId(id);
      return record === null ? null : intentOf(record);
    },
    recent: async (subject) => (await store.recent(subject, keptAttempts)).map((record) => intentOf(record)),
    ofSubjects: async (subjects, operation) =>
      (await store.ofSubjects(subjects, operation)).map((record) => intentOf(record, operation)),
    inStates: async (states) => (await store.inStates(states)).map((record) => intentOf(record)),
    isNonceOwned: async (signerAddress, nonce) => (await store.byNonce(signerAddress, nonce)) !== null,
  };
}

/**
 * All attempts of some operations on a subject, of all operations unless some are named, oldest first: as many as its
 * age brings.
 */
export async function intentsOfSubject(
  store: IntentReader,
  subject: string,
  operations?: readonly Operation[],
): Promise<readonly Intent[]> {
  return (await store.ofSubject(subject, operations)).map((record) => intentOf(record));
}

/** How many attempts of an operation there were, from any intents that hold the newest one. */
export function attemptCountOf(intents: readonly Intent[], operation: Operation): number {
  return Math.max(0, ...ofOperation(intents, operation).map(({ attempt }) => attempt));
}

/** Intents of one operation, oldest first. */
export function ofOperation<Name extends Operation>(
  intents: readonly Intent[],
  operation: Name,
): readonly Intent<Name>[] {
  return intents.filter((intent): intent is Intent<Name> => intent.operation === operation);
}

export function isCall(intent: Intent): intent is CallIntent {
  return intent.plan.kind === 'transaction';
}

function intentOf(record: IntentRecord): Intent;
function intentOf<Name extends Operation>(record: IntentRecord, operation: Name): Intent<Name>;
/**
 * A stored row as its operation defines it. @throws Error on a row that does not: nothing may be guessed about an
 * effect.
 */
function intentOf(record: IntentRecord): unknown {
  const { operation, plan, outcome } = record;
  if (!isOperation(operation)) {
    throw new Error(`intent ${record.id} has the unknown operation ${operation}`);
  }
  const schema = intentTable[operation];
  return {
    ...record,
    operation,
    plan: schema.plan.parse(plan),
    outcome: outcome === null ? null : schema.outcome.parse(outcome),
  };
}
