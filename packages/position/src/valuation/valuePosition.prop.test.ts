import { pricePips, raw } from '@core/pricing';
import { expectCompanions } from '@core/pricing/testing/companions.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { context } from '../../testing/positionHistory.ts';
import { anyLife, anyStep, openedVaultOf, playStep, type ReferenceStep } from '../../testing/referenceLives.ts';
import type { ReferenceVault } from '../../testing/referenceVault.ts';
import { foldPosition } from '../ledger/foldPosition.ts';
import type { Position } from '../record/position.ts';
import type { OpenFigures } from './figures.ts';
import { valuePosition } from './valuePosition.ts';

function positionOf(vault: ReferenceVault): Position {
  const folded = foldPosition(vault.events, context);
  if (folded === null) throw new Error('a life has a creation');
  return folded.position;
}

function shownOf(vault: ReferenceVault, mark: bigint): OpenFigures {
  const figures = valuePosition(positionOf(vault), { markPricePips: pricePips(mark), nowMs: vault.nowMs });
  if (figures.kind !== 'open') throw new Error('the life is not over');
  return figures;
}

/** A life whose figures are compared with each other: no money is donated, and no payment is blocked. */
class Books {
  readonly vault: ReferenceVault;
  /** Net result of the parts already closed. */
  realized = 0n;
  /** Paid to the user by unwinds. */
  unwindPaid = 0n;

  constructor(vault: ReferenceVault) {
    this.vault = vault;
  }

  /** Everything the user has and has had, net of what was paid in, at the mark. */
  net(mark: bigint): bigint {
    return this.realized + raw(shownOf(this.vault, mark).current.netUnrealizedPnlUsdcUnits);
  }

  /** Play a step at its mark and return the fee of its sale. */
  play(step: ReferenceStep): bigint {
    const { vault } = this;
    const { basis: before } = vault;
    const { proceeds } = vault.user;
    const paidBefore = raw(positionOf(vault).unwindPaidUsdcUnits);
    const fees = vault.venue.saleFee;
    playStep(vault, { ...step, given: 0n, isBlocked: false });
    if (step.kind === 'close') {
      const { basis } = vault;
      this.realized -= before.collateral + before.origination + before.openFee;
      this.realized += basis.collateral + basis.origination + basis.openFee;
    }
    // What an unwind pays is part of the shown result, until a partial close takes its share of it.
    const paid = raw(positionOf(vault).unwindPaidUsdcUnits);
    this.realized += vault.user.proceeds - proceeds - (paid - paidBefore);
    if (step.kind === 'unwind') this.unwindPaid += vault.user.proceeds - proceeds;
    return vault.venue.saleFee - fees;
  }
}

const playedKinds = ['close', 'unwind', 'addMargin'] as const;
const anyPlayed = fc
  .tuple(anyStep, fc.constantFrom(...playedKinds))
  .map(([step, kind]): ReferenceStep => ({ ...step, kind }));
const anyOpened = anyLife.map((life) => ({ ...life, end: 'open' as const, isRefundBlocked: false }));

describe('open and closed figures agree over random lives', () => {
  test('closing at the mark realizes what was shown, step by step and at the end', () => {
    let lives = 0;
    let paidLives = 0;
    let insolventLives = 0;
    fc.assert(
      fc.property(anyOpened, fc.array(anyPlayed, { maxLength: 5 }), anyPlayed, (life, steps, last) => {
        const books = new Books(openedVaultOf(life));
        const { vault } = books;
        for (const step of steps) {
          const mark = step.pricePips;
          // Accrual is shown before the step as it is after it: time passes first.
          vault.pass(step.seconds);
          const before = books.net(mark);
          if (raw(shownOf(vault, mark).current.effectiveCollateralUsdcUnits) === 0n) return;
          const fee = books.play({ ...step, seconds: 0 });
          const loss = before - books.net(mark);
          // Every step costs its sale fee, as far as equity covers it; rounding of value and shares moves a few units.
          const hasEquity = raw(shownOf(vault, mark).current.effectiveCollateralUsdcUnits) > 0n;
          expect(loss - fee <= 3n && (loss - fee >= -3n || !hasEquity)).toBe(true);
          if (vault.basis.collateral <= 0n) return;
        }
        vault.pass(last.seconds);
        const figures = shownOf(vault, last.pricePips);
        if (raw(figures.current.effectiveCollateralUsdcUnits) === 0n) insolventLives += 1;
        const shownNet = books.net(last.pricePips);
        const gross = (vault.tokens * last.pricePips) / 10_000n;
        vault.sell('close', { sold: vault.tokens, gross, fee: 0n, isBlocked: false });
        const position = positionOf(vault);
        expect(raw(position.tokenUnits)).toBe(0n);
        const closedFigures = valuePosition(position, { markPricePips: null, nowMs: vault.nowMs });
        if (closedFigures.kind !== 'closed') throw new Error('everything was sold');
        for (const part of [figures.entry, figures.current, figures.risk, closedFigures.result]) expectCompanions(part);
        for (const fees of [figures.fees, closedFigures.fees]) expectCompanions(fees, ['totalFeesUsdPips']);
        lives += 1;
        if (books.unwindPaid > 0n) paidLives += 1;
        const net = raw(closedFigures.result.netRealizedPnlUsdcUnits);
        expect(net).toBe(shownNet);
        // Net is everything received less everything paid in.
        const { proceeds, repaid } = vault.user;
        const paidIn = raw(closedFigures.entry.collateralUsdcUnits) + repaid;
        expect(net).toBe(proceeds - paidIn - vault.pool.origination - vault.venue.openFee);
      }),
      { numRuns: 3_000 },
    );
    expect(lives).toBeGreaterThan(300);
    expect(paidLives).toBeGreaterThan(30);
    expect(insolventLives).toBeGreaterThan(30);
  });

  test('a liquidation price is at most one dollar, also where the debt exceeds every payout', () => {
    let impossibleCount = 0;
    fc.assert(
      fc.property(anyOpened, anyStep, (life, step) => {
        const { vault } = new Books(openedVaultOf(life));
        playStep(vault, { ...step, kind: 'unwind', pricePips: 1n, given: 0n, isBlocked: false });
        if (vault.debt > vault.tokens) impossibleCount += 1;
        const { currentLiquidationPricePips: price } = shownOf(vault, step.pricePips).risk;
        expect(raw(price) <= 10_000n).toBe(true);
      }),
    );
    expect(impossibleCount).toBeGreaterThan(0);
  });

  test('unwinding never raises debt per token while the mark covers it, and added margin lowers the price', () => {
    fc.assert(
      fc.property(anyOpened, anyStep, (life, step) => {
        const books = new Books(openedVaultOf(life));
        const { vault } = books;
        const before = shownOf(vault, step.pricePips);
        if (raw(before.current.effectiveCollateralUsdcUnits) === 0n) return;
        const { principal, tokens } = vault;
        books.play({ ...step, kind: 'unwind', feeBps: 0n, seconds: 0 });
        expect(vault.principal * tokens <= (principal + 1n) * vault.tokens).toBe(true);
        books.play({ ...step, kind: 'addMargin', seconds: 0 });
        const after = shownOf(vault, step.pricePips);
        expect(raw(after.risk.currentLiquidationPricePips) <= raw(before.risk.currentLiquidationPricePips) + 1n).toBe(
          true,
        );
      }),
    );
  });
});
