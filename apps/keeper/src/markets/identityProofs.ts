import { checkIdentity, type IdentityCheck, type IdentityTerms, type VenueMarket } from '@core/venue';

/** More than trade at any time. */
const maxKept = 20_000;

/** Proofs of identity, each made once: it costs a millisecond of processor, and a catalogue repeats itself. */
export class IdentityProofs {
  readonly #terms: IdentityTerms;
  /** By all that a proof rests on, the oldest first. */
  readonly #checks = new Map<string, IdentityCheck>();

  constructor(terms: IdentityTerms) {
    this.#terms = terms;
  }

  of(market: VenueMarket): IdentityCheck {
    const { conditionId, questionId, tokenIds } = market;
    const key = `${conditionId}:${questionId}:${tokenIds?.yes}:${tokenIds?.no}`;
    const known = this.#checks.get(key);
    if (known !== undefined) return known;
    const check = checkIdentity(market, this.#terms);
    const [oldest] = this.#checks.size < maxKept ? [] : this.#checks.keys();
    if (oldest !== undefined) this.#checks.delete(oldest);
    this.#checks.set(key, check);
    return check;
  }
}
