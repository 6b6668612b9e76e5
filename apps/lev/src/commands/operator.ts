import { operate, partnersWithKeys } from '@core/api/operate';
import { connectChain, FriendlyError } from '@core/runtime';
import { type Answer, fieldsText, tableOf } from '../answer.ts';
import type { Context } from '../context.ts';
import { countOf } from '../words.ts';

/** Run an operator command. The text is `sentence`, or the value as JSON without one. */
async function runOperator(context: Context, words: readonly string[], sentence?: string): Promise<Answer> {
  const { value } = await operate(words, {
    store: () => context.store(),
    databaseUrl: () => context.databaseUrl(),
    vault: () => vaultOf(context),
    environment: context.host.environment,
    nowMs: Date.now,
  });
  return { value, text: sentence ?? JSON.stringify(value, null, 2) };
}

/** Return the vault without a signing key: a change is printed as calldata for the wallet that has the role. */
async function vaultOf(context: Context) {
  const { rpcUrl, chainId, contracts } = context.stack();
  return { client: await connectChain({ rpcUrl, chainId, timeoutMs: 10_000 }), vault: contracts.vault, wallet: null };
}

/** Show the number of price signers and the threshold of an order. */
export async function vaultSigners(context: Context): Promise<Answer> {
  const { value } = await runOperator(context, ['vault', 'signers']);
  const fields = Object.entries(Object(value)).map(([name, field]) => [name.replaceAll('_', ' '), field]);
  return { value, text: fieldsText(Object.fromEntries(fields)) };
}

/** Refuse new positions in a market. */
export function disableMarket(context: Context, [ticker = '']: readonly string[]): Promise<Answer> {
  const reason = context.option('reason');
  const words = ['markets', 'disable', ticker, ...(reason === null ? [] : ['--reason', reason])];
  return runOperator(context, words, `${ticker} accepts no new positions.`);
}

/** Accept new positions in a market again. */
export function enableMarket(context: Context, [ticker = '']: readonly string[]): Promise<Answer> {
  return runOperator(context, ['markets', 'enable', ticker], `${ticker} accepts new positions again.`);
}

/** List the oracles whose markets are not quoted. */
export async function listOracles(context: Context): Promise<Answer> {
  const answer = await runOperator(context, ['oracles', 'list']);
  const list: unknown = Object(answer.value).stopped;
  const isEmpty = Array.isArray(list) && list.length === 0;
  return isEmpty ? { ...answer, text: 'No oracle is stopped.' } : answer;
}

/** Resume quotes for the markets of an oracle. */
export function resumeOracle(context: Context, [address = '']: readonly string[]): Promise<Answer> {
  return runOperator(context, ['oracles', 'resume', address], `Markets of oracle ${address} are quoted again.`);
}

const defaultFrozenLimit = 25;

/** List positions that await review, oldest first. */
export async function frozen(context: Context): Promise<Answer> {
  const { positions } = await context.store();
  const limit = countOf('--limit', context.option('limit')) ?? defaultFrozenLimit;
  const records = await positions.frozen(limit);
  const value = records.map(({ id, positionKey, status, frozenReason, createdAtMs }) => ({
    id,
    position_key: positionKey,
    status,
    frozen_reason: frozenReason,
    created_at: new Date(createdAtMs).toISOString(),
  }));
  const rows = value.map((row) => [row.position_key, row.status, row.frozen_reason ?? '', row.created_at]);
  if (rows.length === 0) return { value, text: 'No position awaits review.' };
  return { value, text: tableOf(['KEY', 'STATUS', 'REASON', 'CREATED'], rows) };
}

/** Unfreeze a position, so that the keeper resumes it. */
export async function unfreeze(context: Context, [key = '']: readonly string[]): Promise<Answer> {
  const { positions } = await context.store();
  if (!(await positions.unfreeze(key)))
    throw new FriendlyError(`no frozen position has the key ${key}; lev positions frozen lists them`);
  return { value: { position_key: key, is_frozen: false }, text: `${key} is unfrozen; the keeper resumes it.` };
}

/** Show a new key once. */
async function issuedAnswer(context: Context, words: readonly string[]): Promise<Answer> {
  const { value } = await runOperator(context, words);
  const { id, api_key: secret }: { readonly id?: unknown; readonly api_key?: unknown } = Object(value);
  return { value: { id, api_key: secret }, text: `${id}  ${secret}\nStore the key now: it is shown only once.` };
}

/** Issue a key and leave the active ones valid. */
export function issueKey(context: Context, [name = '']: readonly string[]): Promise<Answer> {
  return issuedAnswer(context, ['keys', 'issue', name]);
}

/** Issue a key and revoke all others. */
export function rotateKeys(context: Context, [name = '']: readonly string[]): Promise<Answer> {
  return issuedAnswer(context, ['keys', 'rotate', name]);
}

/** Revoke one key. */
export function revokeKey(context: Context, [id = '']: readonly string[]): Promise<Answer> {
  return runOperator(context, ['keys', 'revoke', id], `${id} is revoked within a second.`);
}

/** List partners with their keys. */
export async function partners(context: Context): Promise<Answer> {
  const store = await context.store();
  const all = await partnersWithKeys(store);
  const rows = all.flatMap(({ name, environment, keys }) =>
    keys.map((key) => [name, environment, key.id, `${key.prefix}…`, key.is_active ? 'active' : 'revoked']),
  );
  return { value: all, text: tableOf(['PARTNER', 'ENVIRONMENT', 'KEY', 'PREFIX', 'STATE'], rows) };
}

/** Run database migrations. */
export async function migrateDatabase(context: Context): Promise<Answer> {
  const { value } = await runOperator(context, ['database', 'migrate']);
  const applied: unknown = Object(value).applied;
  const names = Array.isArray(applied) ? applied.map(String) : [];
  return { value, text: names.length === 0 ? 'no pending migrations' : `applied ${names.join(', ')}` };
}
