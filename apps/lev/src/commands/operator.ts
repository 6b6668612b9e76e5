import { operate, partnersWithKeys } from '@core/api/operate';
import { connectChain, FriendlyError } from '@core/runtime';
import { type Answer, tableOf } from '../answer.ts';
import type { Context } from '../context.ts';
import { countOf } from '../words.ts';

type KeyStore = Awaited<ReturnType<Context['store']>>;

async function operated(context: Context, words: readonly string[]): Promise<Answer> {
  const { markets, oracles } = await context.store();
  const value = await operate(words, {
    markets: () => markets,
    oracles: () => oracles,
    vault: () => vaultOf(context),
    nowMs: Date.now,
  });
  return { value, text: JSON.stringify(value) };
}

/** The vault without a key: what would change it is printed, for the wallet whose role it is. */
async function vaultOf(context: Context) {
  const { rpcUrl, chainId, contracts } = context.stack();
  return { client: await connectChain({ rpcUrl, chainId, timeoutMs: 10_000 }), vault: contracts.vault, wallet: null };
}

/** Price signers of the vault, and how many of them an order needs now. */
export function vaultSigners(context: Context): Promise<Answer> {
  return operated(context, ['vault', 'signers']);
}

/** No new positions in a market. */
export function disableMarket(context: Context, [ticker = '']: readonly string[]): Promise<Answer> {
  const reason = context.option('reason');
  return operated(context, ['markets', 'disable', ticker, ...(reason === null ? [] : ['--reason', reason])]);
}

/** New positions again. */
export function enableMarket(context: Context, [ticker = '']: readonly string[]): Promise<Answer> {
  return operated(context, ['markets', 'enable', ticker]);
}

/** Oracles whose markets are not quoted. */
export function listOracles(context: Context): Promise<Answer> {
  return operated(context, ['oracles', 'list']);
}

/** Quotes on an oracle's markets again. */
export function resumeOracle(context: Context, [address = '']: readonly string[]): Promise<Answer> {
  return operated(context, ['oracles', 'resume', address]);
}

const defaultFrozenLimit = 25;

/** Positions that wait for a person, oldest first. */
export async function frozen(context: Context): Promise<Answer> {
  const { positions } = await context.store();
  const limit = countOf('--limit', context.option('limit')) ?? defaultFrozenLimit;
  const found = await positions.frozen(limit);
  const value = found.map(({ id, positionKey, status, frozenReason, createdAtMs }) => ({
    id,
    position_key: positionKey,
    status,
    frozen_reason: frozenReason,
    created_at: new Date(createdAtMs).toISOString(),
  }));
  const rows = value.map((row) => [row.position_key, row.status, row.frozen_reason ?? '', row.created_at]);
  return { value, text: tableOf(['KEY', 'STATUS', 'REASON', 'CREATED'], rows) };
}

/** Lets the keeper work on a frozen position again. */
export async function unfreeze(context: Context, [key = '']: readonly string[]): Promise<Answer> {
  const { positions } = await context.store();
  if (!(await positions.unfreeze(key))) throw new FriendlyError(`no frozen position has the key ${key}`);
  return { value: { position_key: key, is_frozen: false }, text: `the keeper works on ${key} again` };
}

async function partnerOf({ partners: held }: KeyStore, name: string) {
  const found = (await held.byName(name)) ?? (await held.byId(name));
  if (found !== null) return found;
  const names = (await held.list()).map((partner) => partner.name);
  throw new FriendlyError(`no partner is called ${name}: ${names.join(', ')}`);
}

const issuedAnswer = ({
  record,
  secret,
}: {
  readonly record: { readonly id: string };
  readonly secret: string;
}): Answer => ({
  value: { id: record.id, api_key: secret },
  text: `${record.id}  ${secret}\nThe key is shown once and kept nowhere.`,
});

/** A new key beside the ones there are. */
export async function issueKey(context: Context, [name = '']: readonly string[]): Promise<Answer> {
  const store = await context.store();
  const { id, environment } = await partnerOf(store, name);
  const issued = await store.apiKeys.issue({ partnerId: id, environment, nowMs: Date.now() });
  if (issued.kind === 'issued') return issuedAnswer(issued);
  throw new FriendlyError(`${name} has two active keys: revoke one first (npx -y pnpm@12 lev partners)`);
}

/** A new key, and the end of all others. */
export async function rotateKeys(context: Context, [name = '']: readonly string[]): Promise<Answer> {
  const store = await context.store();
  const { id, environment } = await partnerOf(store, name);
  return issuedAnswer(await store.apiKeys.rotate({ partnerId: id, environment, nowMs: Date.now() }));
}

/** The end of one key. */
export async function revokeKey(context: Context, [id = '']: readonly string[]): Promise<Answer> {
  const { apiKeys } = await context.store();
  if (!(await apiKeys.revoke(id, Date.now()))) throw new FriendlyError(`no active key has the ID ${id}`);
  return { value: { id, is_active: false }, text: `${id} ends within a second` };
}

/** Partners with their keys. */
export async function partners(context: Context): Promise<Answer> {
  const store = await context.store();
  const all = await partnersWithKeys(store);
  const rows = all.flatMap(({ name, environment, keys }) =>
    keys.map((key) => [name, environment, key.id, `${key.prefix}…`, key.is_active ? 'active' : 'revoked']),
  );
  return { value: all, text: tableOf(['PARTNER', 'ENVIRONMENT', 'KEY', 'BEGINS', 'STATE'], rows) };
}

/** Brings the database to this version. */
export async function migrateDatabase({ databaseUrl }: Context): Promise<Answer> {
  const { migrate } = await import('@core/store');
  const applied = await migrate(databaseUrl());
  return { value: { applied }, text: applied.length === 0 ? 'nothing to apply' : `applied ${applied.join(', ')}` };
}
