import { raw, type TokenUnits, tokenUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CoverClasses, type CoveredDebt } from './coverClasses.ts';

const keys = fc.integer({ min: 0, max: 12 }).map((n) => `0x${n}`);
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('put' as const),
      positionKey: keys,
      tokenId: fc.constantFrom('1', '2'),
      debtE12: fc.bigInt(0n, 100n),
      size: fc.bigInt(1n, 300n).map(tokenUnits),
      exitSeconds: fc.constantFrom(15, 60, 80),
    }),
    fc.record({ kind: fc.constant('remove' as const), positionKey: keys }),
  ),
  { maxLength: 60 },
);
/** What the book takes, and what is covered of nothing. */
const covers = fc.record({ depth: fc.bigInt(1n, 400n), best: fc.bigInt(0n, 100n) });

test('law: all that owe more than their own cover are candidates, and of others none whose class has room for it', () => {
  fc.assert(
    fc.property(steps, covers, (taken, { depth, best }) => {
      const classes = new CoverClasses();
      const kept = new Map<string, CoveredDebt>();
      for (const step of taken) {
        if (step.kind === 'put') {
          classes.put(step);
          kept.set(step.positionKey, step);
        } else {
          classes.remove(step.positionKey);
          kept.delete(step.positionKey);
        }
      }
      const coverAt = (size: TokenUnits, exitSeconds: number): bigint => {
        const cover = best - (best * raw(size)) / depth - BigInt(exitSeconds);
        return cover > 0n ? cover : 0n;
      };
      for (const tokenId of ['1', '2']) {
        const debts = [...kept.values()].filter((debt) => debt.tokenId === tokenId);
        const candidates = new Set(classes.candidates(tokenId, coverAt));
        const due = debts.filter(({ debtE12, size, exitSeconds }) => debtE12 > coverAt(size, exitSeconds));
        expect(due.filter(({ positionKey }) => !candidates.has(positionKey))).toEqual([]);
        const isCoveredAtTwice = ({ debtE12, size, exitSeconds }: CoveredDebt): boolean =>
          debtE12 <= coverAt(tokenUnits(2n * raw(size)), exitSeconds);
        const covered = debts.filter((debt) => isCoveredAtTwice(debt));
        expect(covered.filter(({ positionKey }) => candidates.has(positionKey))).toEqual([]);
        expect(classes.holds(tokenId)).toBe(debts.length > 0);
      }
    }),
    { numRuns: 1_000 },
  );
});
