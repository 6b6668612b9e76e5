import { type ErrorCode, isRejection } from '@core/errors';
import { leverageBps, pricePips, rateBps, raw, usdcUnits, usdPips, venueFeeShareBpsOf } from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  sampleBook,
  sampleContract,
  sampleFacts,
  sampleNowMs,
  sampleRequest,
  sampleService,
  sampleSide,
  sampleSnapshot,
  sampleUsage,
  usdc,
} from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { partnerTermsOf } from '../partner/partnerTermsOf.ts';
import { decideQuote, type QuoteDecisionInputs } from './decideQuote.ts';
import { quoteGates } from './gates.ts';
import type { QuoteRequest } from './quoteRequest.ts';

/** Quotes whose market is open, so that sizes, leverages and caps are what decides. */
const inputs: fc.Arbitrary<QuoteDecisionInputs> = fc
  .record({
    book: sampleBook(),
    leftMinutes: fc.integer({ min: 11, max: 600 }),
    quarters: fc.bigInt(8n, 40n),
    notional: fc.bigInt(50_000n, 400_000_000n),
    slippage: fc.bigInt(100n, 1_000n),
    allowRevision: fc.boolean(),
    allowPartialFill: fc.boolean(),
    lent: fc.bigInt(0n, 500_000_000_000n),
    used: fc.bigInt(0n, 30_000_000_000n),
  })
  .map((drawn) => ({
    kind: 'quote',
    request: sampleRequest({
      leverageBps: leverageBps(drawn.quarters * 2_500n),
      notionalUsdPips: usdPips(drawn.notional),
      slippageBps: rateBps(drawn.slippage),
      allowRevision: drawn.allowRevision,
      allowPartialFill: drawn.allowPartialFill,
    }),
    snapshot: sampleSnapshot({
      facts: sampleFacts({ closeAtMs: sampleNowMs + drawn.leftMinutes * 60_000 }),
      yes: sampleSide(drawn.book),
    }),
    terms: partnerTermsOf(),
    usage: sampleUsage({
      yesBorrowedUsdcUnits: usdcUnits(drawn.used),
      promisedBorrowUsdcUnits: usdcUnits(drawn.lent),
      user: { activeNotionalUsdPips: usdPips(drawn.used / 100n), inFlightNotionalUsdPips: usdPips(0n) },
    }),
    service: sampleService,
    contract: sampleContract,
  }));

/** The request with the values of a refusal's hint, or null when the hint names none. */
function suggestedOf(request: QuoteRequest, refusal: ReturnType<typeof decideQuote>): QuoteRequest | null {
  if (!isRejection(refusal)) return null;
  switch (refusal.code) {
    case 'QUOTE_REVISION_REQUIRED':
      return {
        ...request,
        leverageBps: refusal.params.acceptable_leverage_bps,
        notionalUsdPips: refusal.params.acceptable_notional_usd_pips,
      };
    case 'quote_leverage_exceeds_maximum':
    case 'quote_leverage_exceeds_model_max':
      return { ...request, leverageBps: refusal.params.max_leverage_bps };
    case 'quote_leverage_too_high_for_price':
      return { ...request, leverageBps: refusal.params.max_acceptable_leverage_bps };
    case 'quote_slippage_too_high':
      return { ...request, slippageBps: refusal.params.current_slippage_bps };
    case 'quote_side_capital_exceeded':
    case 'quote_total_capital_exceeded': {
      const notional = refusal.params.available_notional_usdc_units;
      return notional === undefined ? null : { ...request, notionalUsdPips: usdPips(raw(notional) / 100n) };
    }
    case 'quote_user_position_limit_exceeded':
      return { ...request, notionalUsdPips: refusal.params.available_capacity_usd_pips };
    default:
      return null;
  }
}

/** Refusals that a clamped request may still meet: another limit that was hidden behind the first one. */
const later: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'quote_slippage_too_high',
  'quote_notional_below_minimum',
  'quote_leverage_exceeds_collateral_floor',
  'quote_user_position_limit_exceeded',
  'quote_side_capital_exceeded',
  'quote_total_capital_exceeded',
  'quote_max_leverage_too_low',
  'QUOTE_REVISION_REQUIRED',
  'quote_leverage_exceeds_model_max',
  'quote_leverage_exceeds_maximum',
  'quote_leverage_too_high_for_price',
  'quote_liquidation_not_viable',
  'quote_entry_depth_too_low',
  'quote_entry_bid_depth_too_low',
  'notional_selector_insufficient_liquidity',
]);

/** Caps on usage, which hints of the ladder know nothing of. */
const caps: readonly ErrorCode[] = [
  'quote_user_position_limit_exceeded',
  'quote_side_capital_exceeded',
  'quote_total_capital_exceeded',
  'quote_user_capital_exceeded',
];

/** Refusals of the ladder that no leverage of the range can meet. */
const withoutSize: readonly ErrorCode[] = [
  'quote_slippage_too_high',
  'notional_selector_insufficient_liquidity',
  'quote_liquidation_not_viable',
  'quote_leverage_exceeds_collateral_floor',
];

describe('decideQuote', () => {
  test('the same inputs give the same decision', () => {
    fc.assert(
      fc.property(inputs, (asked) => {
        expect(decideQuote(asked)).toEqual(decideQuote(asked));
      }),
      { numRuns: 200 },
    );
  });

  test('a decision never exceeds the request, and revises only where allowed', () => {
    fc.assert(
      fc.property(inputs, (asked) => {
        const decided = decideQuote(asked);
        if (decided.kind !== 'priced') return;
        expect(raw(decided.figures.leverageBps) <= raw(asked.request.leverageBps)).toBe(true);
        expect(raw(decided.figures.notionalUsdPips) <= raw(asked.request.notionalUsdPips)).toBe(true);
        expect(raw(decided.figures.leverageBps) >= 15_000n).toBe(true);
        expect(asked.request.allowRevision || decided.revision === null).toBe(true);
        const { collateralUsdcUnits, notionalUsdcUnits } = decided.figures;
        expect(raw(collateralUsdcUnits) * raw(decided.figures.leverageBps)).toBe(raw(notionalUsdcUnits) * 10_000n);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the fee set aside covers what the vault asks of an opening at the mark, also after a sharp rise', () => {
    fc.assert(
      fc.property(inputs, fc.bigInt(0n, 3_000n), (asked, belowMidPips) => {
        const { yes, facts } = asked.snapshot;
        const mid = raw(yes.twap.pricePips ?? pricePips(0n));
        fc.pre(mid > belowMidPips + 100n && facts.venueFee !== null);
        const twap = { ...yes.twap, pricePips: pricePips(mid - belowMidPips) };
        const decided = decideQuote({ ...asked, snapshot: { ...asked.snapshot, yes: { ...yes, twap } } });
        if (decided.kind !== 'priced' || facts.venueFee === null) return;
        const share = venueFeeShareBpsOf({ pricePips: decided.markPricePips, schedule: facts.venueFee });
        const { venueFeeUsdcUnits, notionalUsdcUnits } = decided.figures;
        expect(raw(venueFeeUsdcUnits) * 10_000n >= raw(notionalUsdcUnits) * raw(share)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the minimum fill of a granted size keeps the minimum collateral and notional, revised sizes included', () => {
    const steps = fc.option(fc.bigInt(4n, 10n), { nil: null });
    let revised = 0;
    fc.assert(
      fc.property(inputs, steps, (asked, fillSteps) => {
        const minFillBps = fillSteps === null ? null : rateBps(fillSteps * 500n);
        const request = { ...asked.request, allowPartialFill: true, allowRevision: true, minFillBps };
        const decided = decideQuote({ ...asked, request, usage: sampleUsage() });
        if (isRejection(decided)) return;
        if (decided.revision !== null && decided.revision !== 'leverage_reduced') revised += 1;
        const { collateralUsdcUnits, notionalUsdcUnits } = decided.figures;
        const fill = raw(decided.minFillBps);
        expect((raw(collateralUsdcUnits) * fill + 9_999n) / 10_000n).toBeGreaterThanOrEqual(1_000_000n);
        expect(raw(notionalUsdcUnits) * fill).toBeGreaterThanOrEqual(5_000_000n * 10_000n);
        expect(fill >= 2_000n && fill <= 5_000n && fill % 500n === 0n).toBe(true);
        expect(minFillBps === null || fill === raw(minFillBps)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(revised).toBeGreaterThan(10);
  });

  test('the acceptable sizes and leverages of a refusal are accepted unchanged', () => {
    fc.assert(
      fc.property(inputs, (asked) => {
        // Caps are out of the way, so the ladder's own hints decide.
        const free = { ...asked, usage: sampleUsage() };
        const decision = decideQuote(free);
        const request = suggestedOf(free.request, decision);
        if (request === null || !isRejection(decision) || decision.code === 'quote_slippage_too_high') return;
        const again = decideQuote({ ...free, request });
        if (!isRejection(again)) return;
        // Only a cap or the user's own minimum may still refuse.
        expect([...caps, 'quote_notional_below_minimum']).toContain(again.code);
      }),
      { numRuns: 2_000 },
    );
  });

  test('above ten times, the highest leverage of the refusal is accepted, or its notional has to come down too', () => {
    let clamped = 0;
    fc.assert(
      fc.property(inputs, fc.bigInt(41n, 400n), (asked, quarters) => {
        const free = {
          ...asked,
          usage: sampleUsage(),
          request: { ...asked.request, allowRevision: false, leverageBps: leverageBps(quarters * 2_500n) },
        };
        const decision = decideQuote(free);
        if (!isRejection(decision) || decision.code !== 'quote_leverage_exceeds_maximum') return;
        const highest = decision.params.max_leverage_bps;
        // Below 2x nothing can be asked for without a revision.
        if (raw(highest) < 20_000n) return;
        const request = { ...free.request, leverageBps: highest };
        const again = decideQuote({ ...free, request });
        if (!isRejection(again)) {
          clamped += 1;
          return;
        }
        expect([...caps, 'QUOTE_REVISION_REQUIRED', ...withoutSize]).toContain(again.code);
        if (again.code !== 'QUOTE_REVISION_REQUIRED') return;
        expect(again.params).toMatchObject({ revision: 'notional_reduced', acceptable_leverage_bps: highest });
        const last = decideQuote({ ...free, request: suggestedOf(request, again) ?? request });
        expect(['priced', ...caps]).toContain(isRejection(last) ? last.code : last.kind);
      }),
      { numRuns: 2_000 },
    );
    expect(clamped).toBeGreaterThan(100);
  });

  test('every clamp makes progress: following hints ends in a quote or at a limit that cannot be followed', () => {
    fc.assert(
      fc.property(inputs, (asked) => {
        let request: QuoteRequest | null = asked.request;
        for (let round = 0; round < 6 && request !== null; round++) {
          const decided: ReturnType<typeof decideQuote> = decideQuote({ ...asked, request });
          if (!isRejection(decided)) return;
          const next = suggestedOf(request, decided);
          // A hint may uncover another limit, but only one of those that follow in the order of the gates.
          expect(next === null || round === 0 || later.has(decided.code)).toBe(true);
          request = next;
        }
        expect(request).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });

  test('a capital hint is accepted by the cap that gave it', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 30_000_000_000n), fc.bigInt(8n, 16n), (used, quarters) => {
        const inputs = {
          kind: 'quote',
          request: sampleRequest({
            leverageBps: leverageBps(quarters * 2_500n),
            notionalUsdPips: usdPips(25_000_0000n),
          }),
          snapshot: sampleSnapshot(),
          terms: partnerTermsOf({
            limits: { userNotionalUsdPips: usdPips(10n ** 12n), userBorrowUsdcUnits: usdc(10 ** 6) },
          }),
          usage: sampleUsage({ yesBorrowedUsdcUnits: usdcUnits(used) }),
          service: sampleService,
          contract: sampleContract,
          config: { ...policyDefaults, entry: { ...policyDefaults.entry, depthMultiple: 0n } },
        } as const;
        const decision = decideQuote(inputs);
        const request = suggestedOf(inputs.request, decision);
        if (request === null || !isRejection(decision) || decision.code !== 'quote_side_capital_exceeded') return;
        const again = decideQuote({ ...inputs, request });
        expect(isRejection(again) && again.code === 'quote_side_capital_exceeded').toBe(false);
      }),
    );
  });
});

test('gates come in the documented order: service, request, market, size, usage', () => {
  const names = quoteGates.map(({ name }) => name);
  const documented = [
    'kill_switches',
    'wallet_form',
    'partial_open',
    'lifecycle',
    'book_age',
    'price_age',
    'spot_age',
    'score_age',
    'twap',
    'book_sides',
    'spread',
    'ask_depth',
    'bid_depth',
    'elapsed',
    'top_holder',
    'volume',
    'divergence_breaker',
    'price_range',
    'price_floor',
    'leverage_range',
    'notional_minimum',
    'revision_ladder',
    'position_limits',
    'capital_limits',
    'side_capacity',
  ];
  expect(names.filter((name) => documented.includes(name))).toEqual(documented);
  expect(new Set(names).size).toBe(names.length);
});
