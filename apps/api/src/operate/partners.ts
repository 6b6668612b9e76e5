import type { Store } from '@core/store';

/** A partner with its keys, as far as a key may be known: its ID, its first characters, and whether it is active. */
export interface ShownPartner {
  readonly id: string;
  readonly name: string;
  readonly environment: string;
  readonly keys: readonly { readonly id: string; readonly prefix: string; readonly is_active: boolean }[];
}

/** All partners by name. */
export function partnersWithKeys(store: Pick<Store, 'partners' | 'apiKeys'>): Promise<readonly ShownPartner[]> {
  const shown = async (partner: { readonly id: string; readonly name: string; readonly environment: string }) => {
    const { id, name, environment } = partner;
    const keys = (await store.apiKeys.listByPartner(id)).map((key) => ({
      id: key.id,
      prefix: key.prefix,
      is_active: key.revokedAtMs === null,
    }));
    return { id, name, environment, keys };
  };
  return store.partners.list().then((all) => Promise.all(all.map(shown)));
}
