import { columnOf, selectListOf, valuesOf } from '../database/columns.ts';
import { encodeDomainJson } from '../database/domainJson.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { movesWithBatch } from './batchMembers.ts';
import type { IntentRecord, NonceOwner, SignedTransaction } from './intents.ts';
import { StaleLeaseError } from './staleLeaseError.ts';

const transactionFields = [
  'hash',
  'intentId',
  'rawTransaction',
  'maxFeePerGasWei',
  'maxPriorityFeeWei',
  'createdAtMs',
] as const satisfies readonly (keyof SignedTransaction)[];

const selectNonceOwners: Statement = {
  name: 'intents_nonce_owners',
  text: `SELECT id, operation, nonce, state FROM intents WHERE signer_address = lower($1) AND nonce >= $2 ORDER BY nonce`,
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
  text: `WITH dropped AS (
           UPDATE intents SET state = 'dropped', signer_address = NULL, nonce = NULL, updated_at = $2, outcome = $3
           WHERE id = $1 AND state = 'prepared'
             AND NOT EXISTS (SELECT 1 FROM intent_transactions WHERE intent_id = $1) RETURNING subject
         ), members AS (
           UPDATE intents AS member SET state = 'dropped', updated_at = $2, outcome = $3
           FROM dropped WHERE ${movesWithBatch('dropped')}
         ) SELECT 1 FROM dropped`,
};
/** The nonce of an intent that ended without a transaction: it is a gap of its signer afterwards. */
const releaseNonce: Statement = {
  name: 'intents_release_nonce',
  text: `UPDATE intents SET signer_address = NULL, nonce = NULL, updated_at = $2
         WHERE id = $1 AND state NOT IN ('prepared', 'signed', 'broadcast', 'reorged')
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
 * dropped gets none. The members of a batch are signed with it.
 */
const insertTransaction: Statement = {
  name: 'intents_add_transaction',
  text: `WITH inserted AS (
           UPDATE intents SET state = CASE state WHEN 'prepared' THEN 'signed' ELSE state END, transaction_hash = $1,
             updated_at = $6 WHERE id = $2 AND state <> 'dropped' RETURNING id, subject
         ), members AS (
           UPDATE intents AS member SET state = 'signed', transaction_hash = $1, updated_at = $6
           FROM inserted WHERE ${movesWithBatch('inserted')}
         ), added AS (
           INSERT INTO intent_transactions (${transactionFields.map(columnOf).join(', ')})
           SELECT ${transactionFields.map((_, index) => `$${index + 1}`).join(', ')} FROM inserted
           ON CONFLICT (hash) DO NOTHING
         )
         SELECT id FROM inserted`,
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

/** Nonces and signed transactions of intents. */
export function intentTransactions(sql: Sql, byId: (id: string) => Promise<IntentRecord | null>) {
  return {
    /**
     * Give the intent the signer's next nonce and return it; an intent that has one of this signer keeps it.
     * @throws StaleLeaseError when another signer gave it one: only that one's key can use it.
     */
    async assignNonce({
      id,
      signerAddress,
      nowMs,
    }: {
      readonly id: string;
      readonly signerAddress: string;
      readonly nowMs: number;
    }): Promise<number> {
      const assigned = await sql.row<{ nonce: number }>(assignNonce, [id, signerAddress, new Date(nowMs)]);
      return assigned?.nonce ?? nonceOf(await byId(id), { id, signerAddress });
    },
    /**
     * Give the intent exactly this nonce, for filling a gap; the signer's next nonce moves on when it was at or below
     * it.
     */
    async pinNonce({
      id,
      signerAddress,
      nonce,
      nowMs,
    }: {
      readonly id: string;
      readonly signerAddress: string;
      readonly nonce: number;
      readonly nowMs: number;
    }): Promise<void> {
      await sql.count(pinNonce, [id, signerAddress, nonce, new Date(nowMs)]);
      await sql.row(raiseNonce, [signerAddress, nonce + 1]);
    },
    /** Take its nonce from an intent that ended and for which nothing was signed; any other keeps it. */
    async releaseNonce({ id, nowMs }: { readonly id: string; readonly nowMs: number }): Promise<void> {
      await sql.count(releaseNonce, [id, new Date(nowMs)]);
    },
    /**
     * Drop a prepared intent for which a signer took a nonce and signed nothing, and take the nonce from it, so that it
     * is a gap of that signer's. False when a transaction was signed with it, or when it is no longer prepared.
     */
    async dropUnsigned({
      id,
      nowMs,
      outcome,
    }: {
      readonly id: string;
      readonly nowMs: number;
      readonly outcome: unknown;
    }): Promise<boolean> {
      return (await sql.count(dropUnsigned, [id, new Date(nowMs), encodeDomainJson(outcome)])) === 1;
    },
    /**
     * Store a signed transaction before it is sent; the intent becomes `signed`.
     * @throws StaleLeaseError when the intent was dropped: another keeper does its work.
     */
    async addTransaction(transaction: SignedTransaction): Promise<void> {
      const inserted = await sql.row(insertTransaction, valuesOf(transactionFields, transaction));
      if (inserted === null) throw new StaleLeaseError(`intent ${transaction.intentId} was dropped by another keeper`);
    },
    /** Every transaction signed for the intent, oldest first: replacements share the nonce. */
    transactions: (intentId: string): Promise<readonly SignedTransaction[]> =>
      sql.rows<SignedTransaction>(selectTransactions, [intentId]),
    /** A node was given the transaction; its intent becomes `broadcast` unless it has come further. */
    async markBroadcast({
      id,
      hash,
      nowMs,
    }: {
      readonly id: string;
      readonly hash: string;
      readonly nowMs: number;
    }): Promise<void> {
      await sql.count(markBroadcast, [id, hash, new Date(nowMs)]);
    },
    /** Raise the signer's next nonce to at least this. Never lower it. */
    async raiseNonce(signerAddress: string, nonce: number): Promise<number> {
      const row = await sql.row<{ nextNonce: number }>(raiseNonce, [signerAddress, nonce]);
      return row?.nextNonce ?? nonce;
    },
    /** Intents that have a nonce of the signer from this one on, in the order of the nonces. */
    nonceOwners: (signerAddress: string, from: number): Promise<readonly NonceOwner[]> =>
      sql.rows<NonceOwner>(selectNonceOwners, [signerAddress, from]),
  };
}

/** Return the nonce that an intent has of its signer already. */
function nonceOf(
  intent: IntentRecord | null,
  { id, signerAddress }: { readonly id: string; readonly signerAddress: string },
): number {
  if (intent === null || intent.nonce === null) {
    throw new Error(`intent ${id} has no nonce: is the signer ${signerAddress} known?`);
  }
  if (intent.signerAddress === signerAddress.toLowerCase()) return intent.nonce;
  throw new StaleLeaseError(`intent ${id} has a nonce of another signer`);
}
