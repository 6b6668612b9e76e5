import { selectListOf } from '../database/columns.ts';
import { encodeDomainJson } from '../database/domainJson.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { createId } from '../ids.ts';
import { movesWithBatch } from './batchMembers.ts';
import type { IntentChange, IntentRecord, IntentState, NewIntent } from './intents.ts';
import { intentTransactions } from './intentTransactions.ts';
import { StaleLeaseError } from './staleLeaseError.ts';

const fields = [
  'id',
  'subject',
  'operation',
  'attempt',
  'state',
  'signerAddress',
  'nonce',
  'plan',
  'orderHash',
  'venueOrderId',
  'transactionHash',
  'blockNumber',
  'outcome',
  'fenceToken',
  'createdAtMs',
  'updatedAtMs',
] as const satisfies readonly (keyof IntentRecord)[];

const columns = selectListOf(fields);
const selectBy = (name: string, condition: string): Statement => ({
  name: `intents_${name}`,
  text: `SELECT ${columns} FROM intents WHERE ${condition}`,
});
/** A holder whose lock has been taken over has a smaller token and writes nothing. */
const insert: Statement = {
  name: 'intents_insert',
  text: `INSERT INTO intents
           (id, subject, operation, attempt, state, plan, order_hash, fence_token, created_at, updated_at)
         SELECT $1, $2, $3, $4, 'prepared', $5, $6, $7, $8, $8
         WHERE NOT EXISTS (SELECT 1 FROM lock_fences WHERE name = $9 AND fence_token > $7)
         ON CONFLICT (subject, operation, attempt) DO NOTHING RETURNING ${columns}`,
};
/** A call that was refused before it was signed had no effect: its row is used again, by the rule of `insert`. */
const reopen: Statement = {
  name: 'intents_reopen',
  text: `UPDATE intents SET state = 'prepared', plan = $2, fence_token = $3, updated_at = $4, order_hash = $6
         WHERE id = $1 AND state = 'dropped' AND nonce IS NULL
           AND NOT EXISTS (SELECT 1 FROM lock_fences WHERE name = $5 AND fence_token > $3)
         RETURNING ${columns}`,
};
const selectById = selectBy('by_id', 'id = $1');
const selectOne = selectBy('one', 'subject = $1 AND operation = $2 AND attempt = $3');
const selectOfSubject = selectBy(
  'of_subject',
  'subject = ANY($1) AND ($2::text[] IS NULL OR operation = ANY($2)) ORDER BY created_at, attempt',
);
/**
 * Per operation as many rows as are wanted, from the end of its part of the index: what lies before costs nothing. The
 * condition of those under way is that of the index `intents_under_way`.
 */
const selectRecent: Statement = {
  name: 'intents_recent',
  text: `SELECT DISTINCT ON ("createdAtMs", attempt, id) * FROM (
           SELECT newest.* FROM unnest($2::text[], $3::int[]) AS wanted (operation, kept)
           CROSS JOIN LATERAL (
             SELECT ${columns} FROM intents WHERE subject = $1 AND operation = wanted.operation
             ORDER BY attempt DESC LIMIT wanted.kept
           ) AS newest
           UNION ALL
           SELECT ${columns} FROM intents
           WHERE subject = $1 AND state IN ('prepared', 'signed', 'broadcast', 'reorged')
         ) AS recent ORDER BY "createdAtMs", attempt, id`,
};
const selectOfSubjects = selectBy('of_subjects', 'subject = ANY($1) AND operation = $2 ORDER BY created_at, attempt');
const selectInStates = selectBy('in_states', 'state = ANY($1) ORDER BY created_at, id');
const selectFollowed = selectBy(
  'followed',
  `(state = 'included' OR (state = 'replaced' AND updated_at >= $1)) AND plan ->> 'kind' IS DISTINCT FROM 'member'
   ORDER BY created_at, id`,
);
const change: Statement = {
  name: 'intents_change',
  text: `WITH changed AS (
           UPDATE intents SET state = $3, updated_at = $4, transaction_hash = coalesce($5, transaction_hash),
             block_number = coalesce($6, block_number), venue_order_id = coalesce($7, venue_order_id),
             outcome = coalesce($8, outcome)
           WHERE id = $1 AND state = ANY($2) RETURNING subject
         ), members AS (
           UPDATE intents AS member SET state = $3, updated_at = $4, block_number = coalesce($6, block_number),
             transaction_hash = coalesce($5, transaction_hash), outcome = coalesce($8, outcome)
           FROM changed WHERE ${movesWithBatch('changed')}
         ) SELECT 1 FROM changed`,
};

/** The condition of the index `intents_ended`. */
export const removeEnded: Statement = {
  name: 'intents_remove_ended',
  text: `WITH gone AS (
           DELETE FROM intents WHERE id IN (
             SELECT intent.id FROM intents AS intent
             LEFT JOIN positions AS position ON position.position_key = intent.subject
             WHERE intent.state IN ('final', 'reverted', 'replaced', 'dropped')
               AND intent.operation NOT IN ('refund', 'defer_close', 'authorize_unwind', 'register_outcome')
               AND intent.updated_at <= $1 AND (position.closed_at <= $1 OR position.position_key IS NULL)
             ORDER BY intent.updated_at LIMIT $2 FOR UPDATE OF intent SKIP LOCKED
           ) RETURNING id
         ), dropped AS (
           DELETE FROM intent_transactions USING gone WHERE intent_transactions.intent_id = gone.id
         ) SELECT count(*) AS "goneCount" FROM gone`,
};

export function createIntents(sql: Sql) {
  const byId = (id: string): Promise<IntentRecord | null> => sql.row<IntentRecord>(selectById, [id]);
  return {
    /**
     * Write the intent, or return the one that has this (subject, operation, attempt) already.
     * @throws StaleLeaseError when the lock has a newer holder.
     */
    prepare: (intent: NewIntent): Promise<{ readonly intent: IntentRecord; readonly created: boolean }> =>
      prepare(sql, intent),
    /**
     * Prepare a dropped intent again, with a new plan; its outcome stays until the next one. One that another caller
     * reopened is returned as it is.
     * @throws StaleLeaseError when the lock has a newer holder.
     */
    async reopen(id: string, again: Omit<NewIntent, 'subject' | 'operation' | 'attempt'>): Promise<IntentRecord> {
      const { plan, orderHash, fenceToken, lockName, nowMs } = again;
      const values = [id, encodeDomainJson(plan), fenceToken, new Date(nowMs), lockName, orderHash ?? null];
      const record = (await sql.row<IntentRecord>(reopen, values)) ?? (await byId(id));
      if (record !== null && record.state !== 'dropped') return record;
      throw new StaleLeaseError(`the lock ${lockName} has a newer holder than token ${fenceToken}`);
    },
    byId,
    /** All attempts on subjects, of these operations when some are named, oldest first: ever more of them. */
    ofSubject: (
      subject: string | readonly string[],
      operations?: readonly string[],
    ): Promise<readonly IntentRecord[]> =>
      sql.rows<IntentRecord>(selectOfSubject, [[subject].flat(), operations ?? null]),
    /**
     * Of each operation named the newest attempts on a subject, as many as `kept` says, and all that are under way;
     * oldest first. Costs what it returns, however many there were before.
     */
    recent: (subject: string, kept: Readonly<Record<string, number>>): Promise<readonly IntentRecord[]> =>
      sql.rows<IntentRecord>(selectRecent, [subject, Object.keys(kept), Object.values(kept)]),
    /** All attempts of an operation on several subjects, oldest first. */
    ofSubjects: (subjects: readonly string[], operation: string): Promise<readonly IntentRecord[]> =>
      sql.rows<IntentRecord>(selectOfSubjects, [subjects, operation]),
    inStates: (states: readonly IntentState[]): Promise<readonly IntentRecord[]> =>
      sql.rows<IntentRecord>(selectInStates, [states]),
    /**
     * Return included intents, and those that were replaced at that instant or later; oldest first. Members of a batch
     * are left out: they move with it.
     */
    followed: (replacedSinceMs: number): Promise<readonly IntentRecord[]> =>
      sql.rows<IntentRecord>(selectFollowed, [new Date(replacedSinceMs)]),
    /** Move the state when it is still one of `from`; false when it is not. */
    async change({
      id,
      from,
      to,
      nowMs,
      transactionHash,
      blockNumber,
      venueOrderId,
      outcome,
    }: IntentChange): Promise<boolean> {
      const values = [
        id,
        from,
        to,
        new Date(nowMs),
        transactionHash ?? null,
        blockNumber ?? null,
        venueOrderId ?? null,
        outcome === undefined ? null : encodeDomainJson(outcome),
      ];
      return (await sql.count(change, values)) === 1;
    },
    /**
     * Delete intents that ended, with their transactions, of positions that closed, both before that instant, and those
     * of no position, such as filled nonces and positions that a reorganisation undid; at most `limit`. Return their
     * number. Intents whose operation a later fold of their position reads stay as long as the position.
     */
    async removeEnded(beforeMs: number, limit: number): Promise<number> {
      const row = await sql.row<{ goneCount: bigint }>(removeEnded, [new Date(beforeMs), limit]);
      return Number(row?.goneCount ?? 0n);
    },
    ...intentTransactions(sql, byId),
  };
}

async function prepare(sql: Sql, intent: NewIntent): Promise<{ intent: IntentRecord; created: boolean }> {
  const created = await sql.row<IntentRecord>(insert, [
    createId('int', intent.nowMs),
    intent.subject,
    intent.operation,
    intent.attempt,
    encodeDomainJson(intent.plan),
    intent.orderHash ?? null,
    intent.fenceToken,
    new Date(intent.nowMs),
    intent.lockName,
  ]);
  if (created !== null) {
    return { intent: created, created: true };
  }
  const existing = await sql.row<IntentRecord>(selectOne, [intent.subject, intent.operation, intent.attempt]);
  if (existing === null) {
    throw new StaleLeaseError(`the lock ${intent.lockName} has a newer holder than token ${intent.fenceToken}`);
  }
  return { intent: existing, created: false };
}

export { fields as intentFields, selectRecent };

export type IntentStore = ReturnType<typeof createIntents>;
