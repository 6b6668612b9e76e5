import { type PartnerTerms, partnerTermsOf } from '@core/policy';
import { usdPips } from '@core/pricing';
import { FriendlyError } from '@core/runtime';
import type { Environment, ListedPartner, PartnerRecord, Store } from '@core/store';
import type { Call, Operated, Operations } from './command.ts';
import { changedTerms, presentTerms } from './partnerTermsText.ts';

/** Partner with the ID, prefix and state of its keys. */
export interface ShownPartner {
  readonly id: string;
  readonly name: string;
  readonly environment: string;
  /** False when the stored terms or environment cannot be read: every request of the partner fails. */
  readonly is_readable: boolean;
  readonly keys: readonly { readonly id: string; readonly prefix: string; readonly is_active: boolean }[];
}

type PartnersAndKeys = Pick<Store, 'partners' | 'apiKeys'>;

/** Return all partners, sorted by name, also those that cannot be read. */
export async function partnersWithKeys(store: PartnersAndKeys): Promise<readonly ShownPartner[]> {
  return Promise.all((await store.partners.list()).map((partner) => shown(store, partner)));
}

async function shown({ apiKeys }: PartnersAndKeys, partner: ListedPartner): Promise<ShownPartner> {
  const { id, name, environment, terms } = partner;
  const keys = (await apiKeys.listByPartner(id)).map((key) => ({
    id: key.id,
    prefix: key.prefix,
    is_active: key.revokedAtMs === null,
  }));
  const is_readable = terms !== null && isEnvironment(environment);
  return { id, name, environment, is_readable, keys };
}

/** Return a partner by its name or ID. @throws FriendlyError with the existing names for an unknown one. */
export async function partnerNamed({ partners }: PartnersAndKeys, name: string): Promise<PartnerRecord> {
  const partner = (await partners.byName(name)) ?? (await partners.byId(name));
  if (partner !== null) return partner;
  const names = (await partners.list()).map((each) => each.name);
  const others = names.length === 0 ? 'there is none yet' : names.join(', ');
  throw new FriendlyError(`no partner has the name ${name}: ${others}`);
}

const namePattern = /^[\w.-]{1,64}$/;

/**
 * Create a partner. An existing partner with the same name, environment and terms is returned unchanged.
 * @throws FriendlyError for an invalid name, and when it exists with another environment or other terms.
 */
export async function createPartner({ store, nowMs }: Operations, { args, option, changes }: Call): Promise<Operated> {
  const [name = ''] = args;
  if (!namePattern.test(name)) {
    throw new FriendlyError('a name has 1 to 64 letters, digits, dots, dashes and underscores');
  }
  const environment = environmentIn(option('environment') ?? 'sandbox');
  const terms = changedTerms(partnerTermsOf(), changes);
  const database = await store();
  const existing = await database.partners.byName(name);
  if (existing !== null) checkSame(existing, { environment, terms, hasChanges: changes.length > 0 });
  const partner = existing ?? (await database.partners.create({ name, environment, terms, createdAtMs: nowMs() }));
  return { value: { ...(await shown(database, partner)), is_new: existing === null } };
}

const isEnvironment = (text: string): text is Environment => text === 'sandbox' || text === 'production';

function environmentIn(text: string): Environment {
  if (isEnvironment(text)) return text;
  throw new FriendlyError(`--environment: expected sandbox or production, got ${text}`);
}

function checkSame(
  { name, environment, terms }: PartnerRecord,
  asked: { readonly environment: Environment; readonly terms: PartnerTerms; readonly hasChanges: boolean },
): void {
  if (environment !== asked.environment) {
    throw new FriendlyError(`${name} exists in the environment ${environment}: choose another name`);
  }
  const isSame = JSON.stringify(presentTerms(terms)) === JSON.stringify(presentTerms(asked.terms));
  if (asked.hasChanges && !isSame) {
    throw new FriendlyError(`${name} exists with other terms: change them with operate partners terms ${name}`);
  }
}

/** List all partners with their keys. */
export async function listPartners({ store }: Operations): Promise<Operated> {
  return { value: { partners: await partnersWithKeys(await store()) } };
}

/** Show the terms of a partner, after the changes of `--set`. @throws FriendlyError for an invalid change. */
export async function partnerTerms({ store }: Operations, { args, changes }: Call): Promise<Operated> {
  const database = await store();
  const partner = await partnerNamed(database, args[0] ?? '');
  const terms = changedTerms(partner.terms, changes);
  if (changes.length > 0) await database.partners.updateTerms(partner.id, terms);
  return { value: { id: partner.id, name: partner.name, terms: presentTerms(terms) } };
}

/**
 * Revoke all keys of a partner and set its cap of notional to 0: its users can close positions but not open any. A new
 * key and a cap (`partners terms --set limits.partner_notional_usd_pips=…`) enable it again.
 */
export async function disablePartner({ store, nowMs }: Operations, { args }: Call): Promise<Operated> {
  const database = await store();
  const partner = await partnerNamed(database, args[0] ?? '');
  const { terms } = partner;
  const limits = { ...terms.limits, partnerNotionalUsdPips: usdPips(0n) };
  await database.partners.updateTerms(partner.id, { ...terms, limits });
  for (const key of await database.apiKeys.listByPartner(partner.id)) await database.apiKeys.revoke(key.id, nowMs());
  return { value: { ...(await shown(database, partner)), limits_partner_notional_usd_pips: '0' } };
}
