import { existsSync, readFileSync } from 'node:fs';
import { FriendlyError, replaceFile } from '@core/runtime';
import type { PartnerRecord, Store } from '@core/store';
import type { Call, Operated, Operations } from './command.ts';
import { partnerNamed } from './partners.ts';

type KeyStore = Pick<Store, 'partners' | 'apiKeys'>;

interface IssuedKey {
  readonly record: { readonly id: string };
  readonly secret: string;
}

/**
 * Issue a key and leave the active ones valid. With `--file` the key is written there, readable by its owner only. An
 * active key of the partner in that file is returned instead of a new one.
 * @throws FriendlyError when two keys are active.
 */
export async function issueKey({ store, nowMs }: Operations, { args, option }: Call): Promise<Operated> {
  const database = await store();
  const partner = await partnerNamed(database, args[0] ?? '');
  const file = option('file');
  const existing = file === undefined ? null : await activeKeyIn(file, database, partner);
  if (existing !== null) return { value: { id: existing, partner: partner.name, file } };
  const { id: partnerId, environment } = partner;
  const issued = await database.apiKeys.issue({ partnerId, environment, nowMs: nowMs() });
  if (issued.kind === 'issued') return issuedOf(issued, partner, file);
  throw new FriendlyError(`${partner.name} has two active keys: revoke one first, or rotate them`);
}

/** Issue a key and revoke all others in the same transaction. */
export async function rotateKeys({ store, nowMs }: Operations, { args, option }: Call): Promise<Operated> {
  const database = await store();
  const partner = await partnerNamed(database, args[0] ?? '');
  const { id: partnerId, environment } = partner;
  const issued = await database.apiKeys.rotate({ partnerId, environment, nowMs: nowMs() });
  return issuedOf(issued, partner, option('file'));
}

/** Revoke one key by its ID. Idempotent. @throws FriendlyError for an unknown ID. */
export async function revokeKey({ store, nowMs }: Operations, { args }: Call): Promise<Operated> {
  const { apiKeys, partners } = await store();
  const [id = ''] = args;
  const value = { id, is_active: false };
  if (await apiKeys.revoke(id, nowMs())) return { value };
  for (const partner of await partners.list()) {
    if ((await apiKeys.listByPartner(partner.id)).some((key) => key.id === id)) return { value };
  }
  throw new FriendlyError(`no key has the ID ${id}; the list of partners has them`);
}

async function activeKeyIn(file: string, { apiKeys }: KeyStore, partner: PartnerRecord): Promise<string | null> {
  if (!existsSync(file)) return null;
  const record = await apiKeys.authenticate(readFileSync(file, 'utf8').trim(), partner.environment);
  if (record !== null && record !== 'revoked' && record.partnerId === partner.id) return record.id;
  throw new FriendlyError(`${file} exists and holds no active key of ${partner.name}: remove it, or choose another`);
}

function issuedOf({ record, secret }: IssuedKey, { name }: PartnerRecord, file: string | undefined): Operated {
  if (file === undefined) return { value: { id: record.id, partner: name, api_key: secret } };
  replaceFile(file, `${secret}\n`);
  return { value: { id: record.id, partner: name, file } };
}
