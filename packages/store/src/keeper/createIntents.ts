import { columnOf, selectListOf, valuesOf } from '../database/columns.ts';
import { encodeDomainJson } from '../database/domainJson.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { createId } from '../ids.ts';
import type { IntentRecord, IntentStore, NewIntent, SignedTransaction } from './intents.ts';

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
const transactionFields = [
  'hash',
  'intentId',
  'rawTransaction',
  'maxFeePerGasWei',
  'maxPriorityFeeWei',
  'createdAtMs',
] as const satisfies readonly (keyof SignedTransaction)[];

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
const selectById = selectBy('by_id', 'id = $1');
const selectOne = selectBy('one', 'subject = $1 AND operation = $2 AND attempt = $3');
const selectOfSubject = selectBy(
  'of_subject',
  'subject = $1 AND ($2::text[] IS NULL OR operation = ANY($2)) ORDER BY created_at, attempt',
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
const selectByNonce = selectBy('by_nonce', 'signer_address = lower($1) AND nonce = $2');
const change: Statement = {
  name: 'intents_change',
  text: `UPDATE intents SET state = $3, updated_at = $4, transaction_hash = coalesce($5, transaction_hash),
           block_number = coalesce($6, block_number), venue_order_id = coalesce($7, venue_order_id),
           outcome = coalesce($8, outcome)
         WHERE id = $1 AND state = ANY($2)`,
};
/**
 * Taking the nonce and giving it to the intent is one statement: a nonce that is taken always has an intent. Answers
 * nothing when another transaction gave it one at the same moment.
 */
const assignNonce: Statement = {
  name: 'intents_assign_nonce',
  text: `WITH wanting AS (
           SELECT id FROM intents WHERE id = $1 AND nonce IS NULL FOR UPDATE
         ), signer AS (
           UPDATE signer_nonces SET next_nonce = next_nonce + 1
           WHERE signer_address = lower($2) AND EXISTS (SELECT 1 FROM wanting) RETURNING next_nonce - 1 AS nonce
         ), assigned AS (
           UPDATE intents SET signer_address = lower($2), nonce = signer.nonce, updated_at = $3
           FROM signer WHERE intents.id = $1 RETURNING intents.nonce
         )
         SELECT nonce FROM assigned
         UNION ALL SELECT nonce FROM intents WHERE id = $1 AND nonce IS NOT NULL AND signer_address = lower($2)`,
};
const pinNonce: Statement = {
  name: 'intents_pin_nonce',
  text: `UPDATE intents SET signer_address = lower($2), nonce = $3, updated_at = $4 WHERE id = $1 AND nonce IS NULL`,
};
const dropUnsigned: Statement = {
  name: 'intents_drop_unsigned',
  text: `UPDATE intents SET state = 'dropped', signer_address = NULL, nonce = NULL, updated_at = $2, outcome = $3
         WHERE id = $1 AND state = 'prepared'
           AND NOT EXISTS (SELECT 1 FROM intent_transactions WHERE intent_id = $1)`,
};
/** Writes nothing when there is nothing to raise: it is asked every second. */
const raiseNonce: Statement = {
  name: 'intents_raise_nonce',
  text: `WITH raised AS (
           INSERT INTO signer_nonces (signer_address, next_nonce) VALUES (lower($1), $2)
           ON CONFLICT (signer_address) DO UPDATE SET next_nonce = EXCLUDED.next_nonce
           WHERE signer_nonces.next_nonce < EXCLUDED.next_nonce RETURNING next_nonce
         )
         SELECT next_nonce AS "nextNonce" FROM raised UNION ALL
         SELECT next_nonce FROM signer_nonces WHERE signer_address = lower($1) AND NOT EXISTS (SELECT 1 FROM raised)`,
};
/**
 * The transaction and its intent's state are one statement: an intent that is `prepared` has none, and one that was
 * dropped gets none.
 */
const insertTransaction: Statement = {
  name: 'intents_add_transaction',
  text: `WITH signed AS (
           UPDATE intents SET state = CASE state WHEN 'prepared' THEN 'signed' ELSE state END, transaction_hash = $1,
             updated_at = $6 WHERE id = $2 AND state <> 'dropped' RETURNING id
         ), added AS (
           INSERT INTO intent_transactions (${transactionFields.map(columnOf).join(', ')})
           SELECT ${transactionFields.map((_, index) => `$${index + 1}`).join(', ')} FROM signed
           ON CONFLICT (hash) DO NOTHING
         )
         SELECT id FROM signed`,
};
const selectTransactions: Statement = {
  name: 'intents_transactions',
  text: `SELECT ${selectListOf(transactionFields)} FROM intent_transactions WHERE intent_id = $1
         ORDER BY max_fee_per_gas_wei, created_at`,
};
const markBroadcast: Statement = {
  name: 'intents_broadcast',
  text: `WITH sent AS (UPDATE intent_transactions SET broadcast_at = $3 WHERE hash = $2)
         UPDATE intents SET state = 'broadcast', transaction_hash = $2, updated_at = $3
         WHERE id = $1 AND state IN ('prepared', 'signed', 'reorged')`,
};

/** The condition of the index `intents_ended`. */
export const removeEnded: Statement = {
  name: 'intents_remove_ended',
  text: `WITH gone AS (
           DELETE FROM intents WHERE id IN (
             SELECT intent.id FROM intents AS intent
             JOIN positions AS position ON position.position_key = intent.subject
             WHERE intent.state IN ('final', 'reverted', 'replaced', 'dropped')
               AND intent.operation NOT IN ('refund', 'defer_close', 'authorize_unwind', 'register_outcome')
               AND intent.updated_at <= $1 AND position.closed_at <= $1
             ORDER BY intent.updated_at LIMIT $2 FOR UPDATE OF intent SKIP LOCKED
           ) RETURNING id
         ), dropped AS (
           DELETE FROM intent_transactions USING gone WHERE intent_transactions.intent_id = gone.id
         ) SELECT count(*) AS "goneCount" FROM gone`,
};

export class StaleLeaseError extends Error {
  override readonly name = 'StaleLeaseError';
}

export function createIntents(sql: Sql): IntentStore {
  const byId = (id: string): Promise<IntentRecord | null> => sql.row<IntentRecord>(selectById, [id]);
  return {
    prepare: (intent) => prepare(sql, intent),
    byId,
    ofSubject: (subject, operations) => sql.rows<IntentRecord>(selectOfSubject, [subject, operations ?? null]),
    recent: (subject, kept) => sql.rows<IntentRecord>(selectRecent, [subject, Object.keys(kept), Object.values(kept)]),
    ofSubjects: (subjects, operation) => sql.rows<IntentRecord>(selectOfSubjects, [subjects, operation]),
    inStates: (states) => sql.rows<IntentRecord>(selectInStates, [states]),
    async change({ id, from, to, nowMs, transactionHash, blockNumber, venueOrderId, outcome }) {
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
    async assignNonce({ id, signerAddress, nowMs }) {
      const assigned = await sql.row<{ nonce: number }>(assignNonce, [id, signerAddress, new Date(nowMs)]);
      if (assigned !== null) return assigned.nonce;
      const intent = await byId(id);
      const isOwn = intent?.signerAddress === signerAddress.toLowerCase();
      if (isOwn && intent.nonce !== null) return intent.nonce;
      if (intent !== null && intent.nonce !== null) {
        throw new StaleLeaseError(`intent ${id} has a nonce of another signer`);
      }
      throw new Error(`intent ${id} has no nonce: is the signer ${signerAddress} known?`);
    },
    async pinNonce({ id, signerAddress, nonce, nowMs }) {
      await sql.count(pinNonce, [id, signerAddress, nonce, new Date(nowMs)]);
      await sql.row(raiseNonce, [signerAddress, nonce + 1]);
    },
    async dropUnsigned({ id, nowMs, outcome }) {
      return (await sql.count(dropUnsigned, [id, new Date(nowMs), encodeDomainJson(outcome)])) === 1;
    },
    async addTransaction(transaction) {
      const signed = await sql.row(insertTransaction, valuesOf(transactionFields, transaction));
      if (signed === null) throw new StaleLeaseError(`intent ${transaction.intentId} was dropped by another keeper`);
    },
    transactions: (intentId) => sql.rows<SignedTransaction>(selectTransactions, [intentId]),
    async markBroadcast({ id, hash, nowMs }) {
      await sql.count(markBroadcast, [id, hash, new Date(nowMs)]);
    },
    async raiseNonce(signerAddress, nonce) {
      const row = await sql.row<{ nextNonce: number }>(raiseNonce, [signerAddress, nonce]);
      return row?.nextNonce ?? nonce;
    },
    async removeEnded(beforeMs, limit) {
      const row = await sql.row<{ goneCount: bigint }>(removeEnded, [new Date(beforeMs), limit]);
      return Number(row?.goneCount ?? 0n);
    },
    byNonce: (signerAddress, nonce) => sql.row<IntentRecord>(selectByNonce, [signerAddress, nonce]),
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
