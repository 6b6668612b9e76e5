import type { PartnerRecord, PartnerStore } from '@core/store';

interface KnownPartner {
  readonly readAt: number;
  readonly partner: PartnerRecord;
}

/** Age at which a partner's terms are read again. With the other caches of a caller, a change acts within a second. */
const maxAgeMs = 250;

/**
 * Partners by ID with a short memory: every authenticated request asks for one, and their terms change by hand. A
 * change is seen after `maxAgeMs` at the latest. Keys are not remembered: a revoked one is refused at once.
 */
export class PartnerDirectory implements Pick<PartnerStore, 'byId'> {
  readonly #partners: Pick<PartnerStore, 'byId'>;
  readonly #known = new Map<string, KnownPartner>();
  readonly #reads = new Map<string, Promise<PartnerRecord | null>>();

  constructor(partners: Pick<PartnerStore, 'byId'>) {
    this.#partners = partners;
  }

  async byId(id: string): Promise<PartnerRecord | null> {
    const cached = this.#known.get(id);
    if (cached !== undefined && performance.now() - cached.readAt < maxAgeMs) return cached.partner;
    const underWay = this.#reads.get(id);
    if (underWay !== undefined) return underWay;
    // Everyone who asks meanwhile waits for the one read.
    const reading = this.#read(id).finally(() => this.#reads.delete(id));
    this.#reads.set(id, reading);
    return reading;
  }

  async #read(id: string): Promise<PartnerRecord | null> {
    const readAt = performance.now();
    const partner = await this.#partners.byId(id);
    // Only partners that exist are remembered, so made-up IDs cannot fill the memory.
    if (partner === null) this.#known.delete(id);
    else this.#known.set(id, { readAt, partner });
    return partner;
  }
}
