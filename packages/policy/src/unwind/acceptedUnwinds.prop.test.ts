// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import { pricePips, rateBps, raw, type TokenUnits, tokenUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOf, rungSituations, situations } from '../../testing/owing.ts';
import type { AttestationTerms } from '../attestation/attestationTerms.ts';
import { decideAttestation } from '../attestation/decideAttestation.ts';
import { decideUnwind, type OwingPosition } from './decideUnwind.ts';

const [bps, pips] = [10_000n, 10_000n];
const [dust, smallestOrder] = [10_000n, 5_000_000n];

/** Sale as it is authorised: all that was decided, at the attested limit. */
interface AuthorizedSale {
  readonly position: OwingPosition;
  readonly tokenUnits: TokenUnits;
  readonly terms: AttestationTerms;
}

/** Error with which the vault refuses an unwind, by its own rules; null when it takes it. */
function refusalOf({ position, tokenUnits: size, terms }: AuthorizedSale): string | null {
  const [sold, held, debt] = [raw(size), raw(position.tokenUnits), raw(position.debtUsdcUnits)];
  const [limit, trigger] = [raw(terms.limitPricePips), raw(terms.triggerPricePips)];
  const attestedFee = raw(terms.venueFeeBps);
  const rest = held - sold;
  const isPart = rest >= dust;
  if (sold > held) return 'OrderAmountOutOfRange';
  if (isPart && rest < smallestOrder) return 'RemainderTooSmall';
  const exchangeMaximum = raw(position.maxVenueFeeBps ?? rateBps(0n));
  const maximum = exchangeMaximum === 0n ? bps : exchangeMaximum;
  const fee = [attestedFee, maximum].reduce((a, b) => (a > b ? a : b));
  const netLimit = limit * (bps - (fee > bps ? bps : fee));
  const isCovered = netLimit * (isPart ? held : sold) >= debt * pips * bps;
  if (!isCovered && (isPart || trigger !== 0n)) return 'SaleBelowDebt';
  if (debt * pips <= held * trigger) return 'NotTriggered';
  const likelyNet = limit * (bps - attestedFee);
  if (likelyNet === 0n) return 'SaleBelowDebt';
  return sold > (debt * pips * bps + likelyNet - 1n) / likelyNet + smallestOrder ? 'OrderAmountOutOfRange' : null;
}

test('law: the vault takes every unwind that is decided and attested, at any maximum fee of the exchange', () => {
  const maximums = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 12_000n)).map(rateBps);
  const counts = { covered: 0, belowDebt: 0, early: 0 };
  fc.assert(
    fc.property(fc.oneof(situations, rungSituations), maximums, (situation, maxVenueFeeBps) => {
      const { snapshot, position: drawn } = readOf(situation);
      const position = { ...drawn, maxVenueFeeBps };
      const decided = decideUnwind(snapshot, position);
      if (decided.kind !== 'sell') return;
      const { tokenUnits: size, cause, isBelowDebt, rung } = decided;
      const terms = decideAttestation(snapshot, {
        purpose: 'unwind',
        side: 'yes',
        tokenUnits: size,
        // Of a rung that is due a signer gives the lowest trigger there is.
        position: {
          ...position,
          closeMinPricePips: pricePips(0n),
          plannedTriggerPricePips: rung === null ? null : pricePips(1n),
        },
        earlierMid: null,
      });
      // A debt of a pip per token or less passes no trigger.
      if (terms.kind === 'refused') {
        expect([terms.reason, raw(position.debtUsdcUnits) * pips <= raw(position.tokenUnits)]).toEqual([
          'not_due',
          true,
        ]);
        return;
      }
      counts[isBelowDebt ? 'belowDebt' : 'covered'] += 1;
      if (isBelowDebt && cause === 'cover') counts.early += 1;
      expect(refusalOf({ position, tokenUnits: size, terms })).toBeNull();
    }),
    { numRuns: 6_000 },
  );
  expect(Object.entries(counts).filter(([, count]) => count < 100)).toEqual([]);
});

test('law: trigger 0 is attested only for a sale of everything, or past the hard exit', () => {
  let earlyCount = 0;
  fc.assert(
    fc.property(
      situations,
      fc.bigInt(1n, 1_500n).map(rateBps),
      fc.bigInt(1n, 100n),
      (drawn, maxVenueFeeBps, percent) => {
        const { snapshot, position } = readOf({ ...drawn, leftSeconds: 900 + drawn.leftSeconds, rungs: [] });
        fc.pre(!position.wasHardExitInForce);
        const size = tokenUnits((raw(position.tokenUnits) * percent) / 100n);
        const terms = decideAttestation(snapshot, {
          purpose: 'unwind',
          side: 'yes',
          tokenUnits: size,
          position: { ...position, maxVenueFeeBps, closeMinPricePips: pricePips(0n), plannedTriggerPricePips: null },
          earlierMid: null,
        });
        if (terms.kind === 'refused' || raw(terms.triggerPricePips) > 0n) return;
        earlyCount += 1;
        expect(percent === 100n && raw(maxVenueFeeBps) <= 1_000n).toBe(true);
        const net = raw(terms.limitPricePips) * (bps - raw(terms.venueFeeBps)) * raw(size);
        expect(net).toBeLessThan(raw(position.debtUsdcUnits) * pips * bps);
      },
    ),
    { numRuns: 6_000 },
  );
  expect(earlyCount).toBeGreaterThan(10);
});
