import { raw, type TokenUnits, tokenUnits } from '@core/pricing';
import { DebtIndex } from './debtIndex.ts';

/** Inputs of a debt's cover check. */
export interface CoveredDebt {
  readonly positionKey: string;
  readonly tokenId: string;
  /** Per token, scaled by 1e12. */
  readonly debtE12: bigint;
  readonly size: TokenUnits;
  readonly exitSeconds: number;
}

/** Cover c of a size at an exit time, scaled by 1e12: never higher for a larger size. */
export type CoverAt = (size: TokenUnits, exitSeconds: number) => bigint;

/** Debts of a token with one exit time and sizes of the same power of two. */
interface CoverClass {
  readonly exitSeconds: number;
  /** Debts by the cover below which they are due: one unit below the debt itself. */
  readonly debts: DebtIndex;
  readonly sizes: DebtIndex;
}

/**
 * Debts by the inputs of their cover. A class is queried with the cover of its largest size, the lowest of all its
 * sizes: a position larger than any book makes only positions of its own size candidates, and none once it has left. A
 * query costs O(classes · log n + candidates); a token has a few dozen classes at most.
 */
export class CoverClasses {
  readonly #byToken = new Map<string, Map<string, CoverClass>>();
  readonly #debts = new Map<string, CoveredDebt>();

  /** Put a debt in its class, replacing any earlier one. */
  put(debt: CoveredDebt): void {
    this.remove(debt.positionKey);
    const { positionKey, tokenId, debtE12, size, exitSeconds } = debt;
    const classes = this.#byToken.get(tokenId) ?? new Map<string, CoverClass>();
    const name = classNameOf(debt);
    const { debts, sizes } = classes.get(name) ?? { debts: new DebtIndex(), sizes: new DebtIndex() };
    debts.put({ positionKey, tokenId, dueAtOrBelow: debtE12 - 1n });
    sizes.put({ positionKey, tokenId, dueAtOrBelow: raw(size) });
    this.#byToken.set(tokenId, classes.set(name, { exitSeconds, debts, sizes }));
    this.#debts.set(positionKey, debt);
  }

  remove(positionKey: string): void {
    const debt = this.#debts.get(positionKey);
    const classes = debt === undefined ? undefined : this.#byToken.get(debt.tokenId);
    if (debt === undefined || classes === undefined) return;
    const name = classNameOf(debt);
    const { debts, sizes } = classes.get(name) ?? {};
    debts?.remove(positionKey);
    sizes?.remove(positionKey);
    if (debts?.size === 0) classes.delete(name);
    if (classes.size === 0) this.#byToken.delete(debt.tokenId);
    this.#debts.delete(positionKey);
  }

  /** Return true when any position has the token. */
  hasToken(tokenId: string): boolean {
    return this.#byToken.has(tokenId);
  }

  /** Return the positions that may owe more than their own cover: all that do, and few others. */
  candidates(tokenId: string, coverAt: CoverAt): readonly string[] {
    const classes = [...(this.#byToken.get(tokenId)?.values() ?? [])];
    return classes.flatMap(({ exitSeconds, debts, sizes }) => {
      const largest = tokenUnits(sizes.highestOf(tokenId) ?? 0n);
      return debts.dueAt(tokenId, coverAt(largest, exitSeconds));
    });
  }
}

/** Name the class of a debt: the bit length of the size is that of its power of two. */
function classNameOf({ size, exitSeconds }: CoveredDebt): string {
  return `${exitSeconds}:${raw(size).toString(2).length}`;
}
