// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import { pricePips, raw, tokenUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { context } from '../../testing/positionHistory.ts';
import { anyLife, playLife } from '../../testing/referenceLives.ts';
import type { ReferenceVault } from '../../testing/referenceVault.ts';
import type { Position } from '../record/position.ts';
import { positionTransitions } from '../states/transitions.ts';
import { openBasisOf } from '../valuation/openBasis.ts';
import { openFiguresOf } from '../valuation/openFigures.ts';
import { valuePosition } from '../valuation/valuePosition.ts';
import { foldPosition } from './foldPosition.ts';
import { ledgerPriceOf, ledgerTotalsOf } from './ledgerTotals.ts';

/** Seconds' worth by default; a long run draws as many as the variable says. */
const numRuns = Number(process.env['POSITION_HISTORIES'] ?? '3000');

/** The record's figures that the vault, the pool, the venue and the user know too. */
function recordedOf(position: Position) {
  return {
    state: position.chainState,
    badDebt: raw(position.badDebtUsdcUnits),
    waiting: raw(position.deferredUsdcUnits),
    pool: {
      lifetimeFee: raw(position.collectedLifetimeFeeUsdcUnits),
      liquidationFee: raw(position.collectedLiquidationFeeUsdcUnits),
      origination: raw(position.totalOriginationFeeUsdcUnits),
    },
    venue: {
      openFee: raw(position.totalOpenVenueFeeUsdcUnits),
      saleFee: raw(position.totalSaleVenueFeeUsdcUnits),
    },
    user: {
      refunded: raw(position.refundedUsdcUnits),
      repaid: raw(position.repaidMarginUsdcUnits),
    },
  };
}

function knownOf({ state, badDebt, waiting, pool, venue, user }: ReferenceVault): ReturnType<typeof recordedOf> {
  return { state, badDebt, waiting, pool, venue, user: { refunded: user.refunded, repaid: user.repaid } };
}

/** Return the tokens, the debt and the basis of an open position. */
function booksOf(position: Position) {
  return {
    tokens: raw(position.tokenUnits),
    principal: raw(position.principalUsdcUnits),
    pending: raw(position.pendingLifetimeFeeUsdcUnits),
    basis: {
      collateral: raw(position.collateralUsdcUnits),
      origination: raw(position.originationFeeUsdcUnits),
      openFee: raw(position.openVenueFeeUsdcUnits),
      saleFee: raw(position.saleVenueFeeUsdcUnits),
    },
  };
}

function foldedOf(vault: ReferenceVault) {
  const folded = foldPosition(vault.events, context);
  if (folded === null) throw new Error('a life has a creation');
  return folded;
}

test('law: a fold of what the vault emitted is what the vault, the pool, the venue and the user have', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      playLife(life, (vault) => {
        const { position } = foldedOf(vault);
        expect(recordedOf(position)).toEqual(knownOf(vault));
        if (vault.state === 'open') {
          const { tokens, principal, pending, basis } = vault;
          expect(booksOf(position)).toEqual({ tokens, principal, pending, basis });
        }
        if (vault.state !== 'cancelled' && vault.state !== 'reverted') {
          expect(raw(position.proceedsUsdcUnits)).toBe(vault.user.proceeds);
        }
      });
    }),
    { numRuns },
  );
});

test('law: rows are what was sold, in order, and every change of state is a move of the table', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      let state: Position['chainState'] = 'pending';
      const vault = playLife(life, (played) => {
        const { position } = foldedOf(played);
        const isMove = positionTransitions.some(({ from, to }) => from === state && to === position.chainState);
        expect(position.chainState === state || isMove).toBe(true);
        state = position.chainState;
      });
      const { partialCloses, unwinds } = foldedOf(vault);
      const sales = vault.events.filter(
        (event) =>
          event.name === 'PositionReduced' && event.args.state === 'open' && raw(event.args.soldTokenUnits) > 0n,
      );
      const margins = vault.events.filter(({ name }) => name === 'MarginAdded');
      expect(partialCloses.length + unwinds.length).toBe(sales.length + margins.length);
      for (const rows of [partialCloses, unwinds]) {
        expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index));
      }
      for (const part of partialCloses) {
        expect(raw(part.soldTokenUnits)).toBeGreaterThan(0n);
        expect(raw(part.userPayoutUsdcUnits) <= raw(part.saleProceedsUsdcUnits)).toBe(true);
      }
    }),
    { numRuns: Math.min(numRuns, 1_000) },
  );
});

/** Return the open profit as the position shows it, floored at what was paid in; nothing unless it is open. */
function openProfitOf(position: Position, markPips: bigint): bigint {
  if (position.chainState !== 'open') return 0n;
  const moment = { markPricePips: pricePips(markPips), nowMs: position.principalChangedAtMs ?? 0 };
  return raw(openFiguresOf(openBasisOf(position), moment).current.netUnrealizedPnlUsdcUnits);
}

function openEquityOf(position: Position, markPips: bigint): bigint {
  if (position.chainState !== 'open') return 0n;
  const moment = { markPricePips: pricePips(markPips), nowMs: position.principalChangedAtMs ?? 0 };
  return raw(openFiguresOf(openBasisOf(position), moment).current.effectiveCollateralUsdcUnits);
}

test('law: realized and open profit are what was paid out less what was paid in, and open equity', () => {
  fc.assert(
    fc.property(anyLife, fc.bigInt(1n, 9_999n), (life, markPips) => {
      playLife(life, (vault) => {
        const { position, ledger } = foldedOf(vault);
        const totals = ledgerTotalsOf(ledger);
        const gain = raw(totals.paidOutUsdcUnits) - raw(totals.paidInUsdcUnits) + openEquityOf(position, markPips);
        expect(raw(totals.realizedPnlUsdcUnits) + openProfitOf(position, markPips)).toBe(gain);
      });
    }),
    { numRuns: Math.min(numRuns, 1_000) },
  );
});

test('law: the rows of a ledger sum up to what the user, the pool and the venue have', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      playLife(life, (vault) => {
        const { terms, pool, venue, user, state } = vault;
        const { position, ledger } = foldedOf(vault);
        const totals = ledgerTotalsOf(ledger);
        const isRefunded = state === 'cancelled' || state === 'reverted';
        const quoted = terms.collateral + terms.origination + terms.venueFee;
        expect(raw(totals.paidOutUsdcUnits)).toBe(user.proceeds + (isRefunded ? user.refunded : 0n));
        expect(raw(totals.paidInUsdcUnits)).toBe(quoted + user.repaid - (isRefunded ? 0n : user.refunded));
        const fees = pool.lifetimeFee + pool.liquidationFee + pool.origination + venue.openFee + venue.saleFee;
        expect(raw(totals.feeUsdcUnits)).toBe(fees);
        const figures = valuePosition(position, { markPricePips: null, nowMs: position.createdAtMs });
        const { collateralUsdcUnits: collateral } = figures.entry;
        // Where the venue took more than its highest fee, a part of it counts as trade but not as collateral.
        const isExplained =
          raw(collateral) + pool.origination + venue.openFee === raw(ledger[0]?.paidInUsdcUnits ?? collateral);
        if (figures.kind === 'closed' && !isRefunded && isExplained) {
          expect(totals.realizedPnlUsdcUnits).toBe(figures.result.netRealizedPnlUsdcUnits);
        }
      });
    }),
    { numRuns: Math.min(numRuns, 1_000) },
  );
});

test('law: the money of each row is its tokens at its price, within a pip per token', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const { ledger } = foldedOf(playLife(life, () => undefined));
      expect(ledger.map(({ sequence }) => sequence)).toEqual(ledger.map((_, index) => index));
      for (const row of ledger) {
        const spent = raw(row.repaidUsdcUnits) + raw(row.feeUsdcUnits) + raw(row.paidOutUsdcUnits);
        const borrowed = row.kind === 'opening' ? raw(row.remainingPrincipalUsdcUnits) : 0n;
        const trade = raw(row.tradeUsdcUnits);
        if (row.kind === 'opening' && raw(row.tokenUnits) > 0n) {
          expect(trade + raw(row.feeUsdcUnits)).toBe(raw(row.paidInUsdcUnits) + borrowed);
        }
        if (['close', 'unwind', 'liquidation', 'settlement'].includes(row.kind)) {
          expect(trade + raw(row.paidInUsdcUnits)).toBe(spent);
        }
        const price = ledgerPriceOf(row);
        if (price !== null) {
          const atPrice = (raw(price) * raw(row.tokenUnits)) / 10_000n;
          const difference = row.kind === 'opening' ? atPrice - trade : trade - atPrice;
          expect(difference >= -1n && difference <= raw(row.tokenUnits) / 10_000n + 1n).toBe(true);
        }
      }
    }),
    { numRuns: Math.min(numRuns, 1_000) },
  );
});

test('law: a sale brings what the venue paid for its tokens before its fee', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      let rowCount = 0;
      playLife({ ...life, steps: life.steps.map((step) => ({ ...step, given: 0n })) }, (vault, step) => {
        const { ledger } = foldedOf(vault);
        const row = ledger.at(-1);
        const isSale = step !== null && ['close', 'unwind', 'liquidate'].includes(step.kind);
        if (isSale && row !== undefined && ledger.length > rowCount && raw(row.tokenUnits) > 0n) {
          expect(raw(row.tradeUsdcUnits)).toBe((raw(row.tokenUnits) * step.pricePips) / 10_000n);
        }
        rowCount = ledger.length;
      });
    }),
    { numRuns: Math.min(numRuns, 1_000) },
  );
});

test('law: an event that moves no tokens and no money changes no row, wherever it stands', () => {
  fc.assert(
    fc.property(anyLife, fc.nat(), (life, place) => {
      const { events } = playLife(life, () => undefined);
      const index = 1 + (place % events.length);
      const last = events[index - 1];
      if (last === undefined) throw new Error('a life has a creation');
      const args = { tokenUnits: tokenUnits(1n), minPricePips: pricePips(1n) };
      const requested = { ...last, name: 'CloseRequested', args } as const;
      const next = events[index];
      // Of a deferral the event it belongs to is the one right before or after it.
      fc.pre(next?.name !== 'PaymentDeferred' && last.name !== 'PaymentDeferred');
      const more = foldPosition([...events.slice(0, index), requested, ...events.slice(index)], context);
      expect(more?.ledger).toEqual(foldPosition(events, context)?.ledger);
    }),
    { numRuns: Math.min(numRuns, 1_000) },
  );
});
