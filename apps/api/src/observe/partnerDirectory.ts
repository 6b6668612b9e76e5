import type { PartnerRecord, PartnerStore } from '@core/store';

interface KnownPartner {
  readonly readAt: number;
  readonly partner: PartnerRecord | null;
}

/**
 * Partners by ID with a short memory: every authenticated request asks for one, and their terms change by hand. A
 * change is seen after `maxAgeMs` at the latest. Keys are not remembered: a revoked one is refused at once.
 */
export class PartnerDirectory implements Pick<PartnerStore, 'byId'> {
  readonly #partners: Pick<PartnerStore, 'byId'>;
  readonly #maxAgeMs: number;
  readonly #known = new Map<string, KnownPartner>();

  constructor(partners: Pick<PartnerStore, 'byId'>, maxAgeMs: number) {
    this.#partners = partners;
    this.#maxAgeMs = maxAgeMs;
  }

  async byId(id: string): Promise<PartnerRecord | null> {
    const readAt = performance.now();
    const known = this.#known.get(id);
    if (known !== undefined && readAt - known.readAt < this.#maxAgeMs) return known.partner;
    const partner = await this.#partners.byId(id);
    // Only partners that exist are remembered, so made-up IDs cannot fill the memory.
    if (partner !== null) this.#known.set(id, { readAt, partner });
    return partner;
  }
}
