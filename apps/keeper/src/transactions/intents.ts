import type { IntentRecord, IntentState, IntentStore, Lease, NewIntent, StepInputs, StepStore } from '@core/store';
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
/** States in which a block has the intent's nonce by the record, or nothing was ever sent. */
export const endedStates: readonly IntentState[] = ['included', 'final', 'reverted', 'replaced', 'dropped'];

type Prepared<Name extends Operation> = Pick<NewIntent, 'subject' | 'attempt' | 'orderHash' | 'nowMs'> & {
  readonly operation: Name;
  readonly plan: PlanOf<Name>;
  /** Lock of the effect: a replaced holder prepares nothing. */
  readonly lease: Lease;
};

type StoreMethods =
  | 'change'
  | 'pinNonce'
  | 'dropUnsigned'
  | 'releaseNonce'
  | 'nonceOwners'
  | 'addTransaction'
  | 'transactions'
  | 'markBroadcast'
  | 'raiseNonce'
  | 'assignNonce';

/** Store of intents, typed by operation. Rows are checked against the table when read. */
export interface Intents extends Pick<IntentStore, StoreMethods> {
  /** Return the intent of this subject, operation and attempt; `isNew` when it did not exist before. */
  prepare<Name extends Operation>(
    intent: Prepared<Name>,
  ): Promise<{ readonly intent: Intent<Name>; readonly isNew: boolean }>;
  /** Prepare a refused call again in its row, with a new plan. */
  reopen<Name extends CallOperation>(
    id: string,
    again: Pick<Prepared<Name>, 'operation' | 'plan' | 'orderHash' | 'lease' | 'nowMs'>,
  ): Promise<Intent>;
  byId(id: string): Promise<Intent | null>;
  /** Return the unfinished intents of a subject and those that a decision reads, oldest first. */
  recent(subject: string): Promise<readonly Intent[]>;
  /** Return the intent with this id; null when there is none, or when its row cannot be read, which is reported. */
  readableById(id: string): Promise<Intent | null>;
  /** Return all attempts of an operation on several subjects, oldest first, without unreadable rows, as `inStates`. */
  ofSubjects<Name extends Operation>(subjects: readonly string[], operation: Name): Promise<readonly Intent<Name>[]>;
  /** Return intents in these states, oldest first. A row that does not match its operation is reported and omitted. */
  inStates(states: readonly IntentState[]): Promise<readonly Intent[]>;
  /** Return included intents, and those that were replaced at that instant or later; otherwise as `inStates`. */
  followed(replacedSinceMs: number): Promise<readonly Intent[]>;
}

const fenceOf = ({ name, fenceToken }: Lease) => ({ lockName: name, fenceToken });

type IntentReader = Pick<IntentStore, 'ofSubject'>;

/**
 * A live order is among the last authorised: no second order lives beside it, and each attempt that failed beside it
 * was stopped at once.
 */
const recentOrderCount = 8;

/**
 * Newest attempts of each operation that a decision may read, so that a step costs the same at any age of the position.
 * Attempts are numbered from 1 without a gap: the newest one has their count, and for a call only the count is read.
 */
const recentCounts: Readonly<Record<Exclude<Operation, 'fill_gap' | 'authorize_batch'>, number>> = {
  register_outcome: 1,
  authorize_open: recentOrderCount,
  // After thirty doublings the delay between two closes is at its maximum.
  authorize_close: 32,
  // The size of the next order depends on those of the last minute, at most one per second.
  authorize_unwind: 64,
  authorize_liquidate: recentOrderCount,
  // A ghost fill among all orders of an opening counts; there are few orders.
  post_open: 64,
  post_close: recentOrderCount,
  // Whether an unwind's order reached the venue: as many as of the authorisations.
  post_unwind: 64,
  post_liquidate: recentOrderCount,
  finalize_open: 1,
  finalize_close: 1,
  finalize_unwind: 1,
  finalize_liquidate: 1,
  finalize_none: 1,
  refund: 1,
  settle: 1,
  defer_close: 1,
};

/** @param onUnreadable Called with each row that cannot be read: nothing is done for it, and the others continue. */
export function intentsOf(
  store: IntentStore,
  onUnreadable: (id: string, cause: unknown) => void = () => undefined,
): Intents {
  const readable = (record: IntentRecord): readonly Intent[] => {
    try {
      return [intentOf(record)];
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      onUnreadable(record.id, cause);
      return [];
    }
  };
  return {
    ...store,
    async prepare({ lease, ...intent }) {
      const prepared = await store.prepare({ ...intent, ...fenceOf(lease) });
      return { intent: intentOf(prepared.intent, intent.operation), isNew: prepared.created };
    },
    async reopen(id, { lease, plan, orderHash, nowMs }) {
      const again = { plan, nowMs, ...fenceOf(lease), ...(orderHash !== undefined && { orderHash }) };
      return intentOf(await store.reopen(id, again));
    },
    async byId(id) {
      const record = await store.byId(id);
      return record === null ? null : intentOf(record);
    },
    async readableById(id) {
      const record = await store.byId(id);
      return record === null ? null : (readable(record)[0] ?? null);
    },
    recent: async (subject) => (await store.recent(subject, recentCounts)).map((record) => intentOf(record)),
    ofSubjects: async (subjects, operation) =>
      ofOperation((await store.ofSubjects(subjects, operation)).flatMap(readable), operation),
    inStates: async (states) => (await store.inStates(states)).flatMap(readable),
    followed: async (replacedSinceMs) => (await store.followed(replacedSinceMs)).flatMap(readable),
  };
}

/**
 * Read all attempts of some operations on a subject or several, of every operation by default, oldest first. The number
 * grows with the age of the subject.
 */
export async function intentsOfSubject(
  store: IntentReader,
  subject: string | readonly string[],
  operations?: readonly Operation[],
): Promise<readonly Intent[]> {
  return (await store.ofSubject(subject, operations)).map((record) => intentOf(record));
}

/** Stored inputs of a step, with its intents typed. */
export interface PositionInputs extends Omit<StepInputs, 'intents'> {
  readonly intents: readonly Intent[];
}

/** Read the record, market and intents of a position in one statement; null for an unknown position. */
export async function readInputs(steps: StepStore, positionKey: string): Promise<PositionInputs | null> {
  const inputs = await steps.inputs(positionKey, recentCounts);
  return inputs && { ...inputs, intents: inputs.intents.map((record) => intentOf(record)) };
}

/** Return the calls of every signer that are under way, oldest first. */
export async function unfinishedCalls(intents: Pick<Intents, 'inStates'>): Promise<readonly CallIntent[]> {
  return (await intents.inStates(unfinishedStates)).filter(isCall);
}

/** Return the attempt count of an operation, from any intents that include the newest one. */
export function attemptCountOf(intents: readonly Intent[], operation: Operation): number {
  return Math.max(0, ...ofOperation(intents, operation).map(({ attempt }) => attempt));
}

/**
 * Return the attempts of an operation that were signed, from any intents that include the newest one. A refused call
 * does not count: its row is used again.
 */
export function signedCountOf(intents: readonly Intent[], operation: CallOperation): number {
  const last = ofOperation(intents, operation).at(-1);
  return last?.state === 'dropped' ? last.attempt - 1 : attemptCountOf(intents, operation);
}

/** Return the intents of one operation, oldest first. */
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
 * Parse a stored row by its operation. @throws Error on a row that does not match: nothing may be guessed about an
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
