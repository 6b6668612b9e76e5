import { insertTextOf, selectListOf, valuesOf } from '../database/columns.ts';
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
  text: `INSERT INTO intents (id, subject, operation, attempt, state, plan, order_hash, fence_token, created_at, updated_at)
         SELECT $1, $2, $3, $4, 'prepared', $5, $6, $7, $8, $8
         WHERE NOT EXISTS (SELECT 1 FROM lock_fences WHERE name = $9 AND fence_token > $7)
         ON CONFLICT (subject, operation, attempt) DO NOTHING RETURNING ${columns}`,
};
const selectById = selectBy('by_id', 'id = $1');
const selectOne = selectBy('one', 'subject = $1 AND operation = $2 AND attempt = $3');
const selectOfSubject = selectBy(
  'of_subject',
  'subject = $1 AND ($2::text IS NULL OR operation = $2) ORDER BY created_at, attempt',
);
const selectInStates = selectBy('in_states', 'state = ANY($1) ORDER BY created_at, id');
const selectByNonce = selectBy('by_nonce', 'signer_address = lower($1) AND nonce = $2');
const change: Statement = {
  name: 'intents_change',
  text: `UPDATE intents SET state = $3, updated_at = $4, transaction_hash = coalesce($5, transaction_hash),
           block_number = coalesce($6, block_number), venue_order_id = coalesce($7, venue_order_id),
           outcome = coalesce($8, outcome)
         WHERE id = $1 AND state = ANY($2)`,
};
/** Taking the nonce and giving it to the intent is one statement: a nonce is never taken by nobody. */
const assignNonce: Statement = {
  name: 'intents_assign_nonce',
  text: `WITH wanting AS (
           SELECT id FROM intents WHERE id = $1 AND nonce IS NULL FOR UPDATE
         ), lane AS (
           UPDATE signer_lanes SET next_nonce = next_nonce + 1
           WHERE signer_address = lower($2) AND EXISTS (SELECT 1 FROM wanting) RETURNING next_nonce - 1 AS nonce
         )
         UPDATE intents SET signer_address = lower($2), nonce = lane.nonce, updated_at = $3
         FROM lane WHERE intents.id = $1`,
};
const pinNonce: Statement = {
  name: 'intents_pin_nonce',
  text: `UPDATE intents SET signer_address = lower($2), nonce = $3, updated_at = $4 WHERE id = $1 AND nonce IS NULL`,
};
const raiseNonce: Statement = {
  name: 'intents_raise_nonce',
  text: `INSERT INTO signer_lanes (signer_address, next_nonce) VALUES (lower($1), $2)
         ON CONFLICT (signer_address) DO UPDATE SET next_nonce = greatest(signer_lanes.next_nonce, EXCLUDED.next_nonce)
         RETURNING next_nonce AS "nextNonce"`,
};
const insertTransaction: Statement = {
  name: 'intents_add_transaction',
  text: `${insertTextOf('intent_transactions', transactionFields)} ON CONFLICT (hash) DO NOTHING`,
};
const markSigned: Statement = {
  name: 'intents_signed',
  text: `UPDATE intents SET state = CASE state WHEN 'prepared' THEN 'signed' ELSE state END, transaction_hash = $2,
           updated_at = $3 WHERE id = $1`,
};
const selectTransactions: Statement = {
  name: 'intents_transactions',
  text: `SELECT ${selectListOf(transactionFields)} FROM intent_transactions WHERE intent_id = $1
         ORDER BY max_fee_per_gas_wei, created_at`,
};
const markBroadcast: Statement = {
  name: 'intents_broadcast',
  text: 'UPDATE intent_transactions SET broadcast_at = $2 WHERE hash = $1',
};

export class StaleLeaseError extends Error {
  override readonly name = 'StaleLeaseError';
}

export function createIntents(sql: Sql): IntentStore {
  const byId = (id: string): Promise<IntentRecord | null> => sql.row<IntentRecord>(selectById, [id]);
  return {
    prepare: (intent) => prepare(sql, intent),
    byId,
    ofSubject: (subject, operation) => sql.rows<IntentRecord>(selectOfSubject, [subject, operation ?? null]),
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
      await sql.count(assignNonce, [id, signerAddress, new Date(nowMs)]);
      const intent = await byId(id);
      if (intent === null || intent.nonce === null) {
        throw new Error(`intent ${id} has no nonce: is the lane of ${signerAddress} known?`);
      }
      return intent;
    },
    async pinNonce({ id, signerAddress, nonce, nowMs }) {
      await sql.count(pinNonce, [id, signerAddress, nonce, new Date(nowMs)]);
      await sql.row(raiseNonce, [signerAddress, nonce + 1]);
    },
    async addTransaction(transaction) {
      await sql.count(insertTransaction, valuesOf(transactionFields, transaction));
      await sql.count(markSigned, [transaction.intentId, transaction.hash, new Date(transaction.createdAtMs)]);
    },
    transactions: (intentId) => sql.rows<SignedTransaction>(selectTransactions, [intentId]),
    async markBroadcast(hash, nowMs) {
      await sql.count(markBroadcast, [hash, new Date(nowMs)]);
    },
    async raiseNonce(signerAddress, nonce) {
      const row = await sql.row<{ nextNonce: number }>(raiseNonce, [signerAddress, nonce]);
      return row?.nextNonce ?? nonce;
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
