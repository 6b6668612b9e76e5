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
/** Cover of a size: the depth of the book over the size, and one of nothing. */
const covers = fc.record({ depth: fc.bigInt(1n, 400n), best: fc.bigInt(0n, 100n) });

test('law: every uncovered debt is a candidate, and no debt that is covered at twice its size', () => {
  fc.assert(
    fc.property(steps, covers, (operations, { depth, best }) => {
      const classes = new CoverClasses();
      const byKey = new Map<string, CoveredDebt>();
      for (const step of operations) {
        if (step.kind === 'put') {
          classes.put(step);
          byKey.set(step.positionKey, step);
        } else {
          classes.remove(step.positionKey);
          byKey.delete(step.positionKey);
        }
      }
      const coverAt = (size: TokenUnits, exitSeconds: number): bigint => {
        const cover = best - (best * raw(size)) / depth - BigInt(exitSeconds);
        return cover > 0n ? cover : 0n;
      };
      for (const tokenId of ['1', '2']) {
        const debts = [...byKey.values()].filter((debt) => debt.tokenId === tokenId);
        const candidates = new Set(classes.candidates(tokenId, coverAt));
        const due = debts.filter(({ debtE12, size, exitSeconds }) => debtE12 > coverAt(size, exitSeconds));
        expect(due.filter(({ positionKey }) => !candidates.has(positionKey))).toEqual([]);
        const isCoveredAtTwice = ({ debtE12, size, exitSeconds }: CoveredDebt): boolean =>
          debtE12 <= coverAt(tokenUnits(2n * raw(size)), exitSeconds);
        const covered = debts.filter((debt) => isCoveredAtTwice(debt));
        expect(covered.filter(({ positionKey }) => candidates.has(positionKey))).toEqual([]);
        expect(classes.hasToken(tokenId)).toBe(debts.length > 0);
      }
    }),
    { numRuns: 1_000 },
  );
});
