import {
  add,
  compare,
  min,
  raw,
  subtract,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';

const noUsdc = usdcUnits(0n);
const noTokens = tokenUnits(0n);

/** Reserved amounts of one fill in progress. */
export interface Reservation {
  readonly usdcUnits: UsdcUnits;
  readonly tokenId: bigint;
  readonly tokenUnits: TokenUnits;
}

/**
 * Float of the filler: the USDC that it may use, less what fills in progress and unsold tokens bind. Balances are those
 * of the chain; a crash therefore loses no reservation.
 */
export class Float {
  readonly #maximumUsdcUnits: UsdcUnits;
  readonly #reservations = new Set<Reservation>();
  /** Worth of unsold tokens by market, at the last bids. */
  readonly #unsold = new Map<string, UsdcUnits>();

  /** @param maximumUsdcUnits Bound of all that fills and unsold tokens bind together. */
  constructor(maximumUsdcUnits: UsdcUnits) {
    this.#maximumUsdcUnits = maximumUsdcUnits;
  }

  /** Return the free USDC of a balance. */
  freeUsdcOf(balance: UsdcUnits): UsdcUnits {
    const reserved = [...this.#reservations].reduce((sum, { usdcUnits: units }) => add(sum, units), noUsdc);
    const bound = [...this.#unsold.values()].reduce((sum, units) => add(sum, units), reserved);
    return atLeastZero(min(subtract(balance, reserved), subtract(this.#maximumUsdcUnits, bound)));
  }

  /** Return the free tokens of a balance. */
  freeTokensOf(tokenId: bigint, balance: TokenUnits): TokenUnits {
    const reserved = [...this.#reservations]
      .filter((reservation) => reservation.tokenId === tokenId)
      .reduce((sum, { tokenUnits: units }) => add(sum, units), noTokens);
    const free = subtract(balance, reserved);
    return raw(free) < 0n ? noTokens : free;
  }

  reserve(reservation: Reservation): void {
    this.#reservations.add(reservation);
  }

  release(reservation: Reservation): void {
    this.#reservations.delete(reservation);
  }

  /** Set the worth of the unsold tokens of a market. */
  setUnsold(conditionId: string, worth: UsdcUnits): void {
    if (raw(worth) > 0n) this.#unsold.set(conditionId, worth);
    else this.#unsold.delete(conditionId);
  }

  get unsoldUsdcUnits(): UsdcUnits {
    return [...this.#unsold.values()].reduce((sum, units) => add(sum, units), noUsdc);
  }
}

function atLeastZero(units: UsdcUnits): UsdcUnits {
  return compare(units, noUsdc) < 0 ? noUsdc : units;
}
