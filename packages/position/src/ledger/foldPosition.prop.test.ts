// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import { raw } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { context } from '../../testing/positionHistory.ts';
import { anyLife, playLife } from '../../testing/referenceLives.ts';
import type { ReferenceVault } from '../../testing/referenceVault.ts';
import type { Position } from '../record/position.ts';
import { positionTransitions } from '../states/transitions.ts';
import { foldPosition } from './foldPosition.ts';

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
