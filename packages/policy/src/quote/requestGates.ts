import { type Rejection, reject } from '@core/errors';
import { compare, constants, type LeverageBps, max, min, raw } from '@core/pricing';
import { leverageLimitOf } from '../leverage/sideModel.ts';
import type { PartnerTerms } from '../partner/partnerTerms.ts';
import type { Gate } from './gate.ts';
import { fillFloorRefusalOf } from './partialOpen.ts';
import type { QuoteContext } from './quoteContext.ts';
import type { QuoteRequest } from './quoteRequest.ts';

const evmAddress = /^0x[0-9a-fA-F]{40}$/;

export const serviceGates: readonly Gate[] = [
  {
    // What keeps debts counts as a switch: without a keeper, a venue to sell on, a signer of prices, quick
    // sales and fillers none may be made.
    name: 'kill_switches',
    needs: 'service',
    codes: ['quote_creation_disabled'],
    check: ({ service, request, config }) => {
      const { isQuoteCreationEnabled, isPartialOpenEnabled, keeperHeartbeatAgeMs } = service;
      const isKeeperSilent =
        keeperHeartbeatAgeMs === null || keeperHeartbeatAgeMs > config.ages.maxKeeperHeartbeatAgeMs;
      const canKeepDebts =
        !isKeeperSilent &&
        service.isVenueTakingOrders &&
        service.isPriceSignerAnswering &&
        service.isExitQuick &&
        service.areGrantsFilled;
      const isOff = !isQuoteCreationEnabled || !canKeepDebts || (request.allowPartialFill && !isPartialOpenEnabled);
      return isOff ? reject('quote_creation_disabled') : null;
    },
  },
  {
    // The address is signed into the quote: a wrong one would open a position that belongs to no one.
    name: 'wallet_form',
    needs: 'request',
    codes: ['quote_invalid_venue_wallet_address'],
    check: ({ request }) =>
      evmAddress.test(request.walletAddress) ? null : reject('quote_invalid_venue_wallet_address'),
  },
  {
    // Range before step, step before floor: the order in which a client can put it right.
    name: 'partial_open',
    needs: 'request',
    codes: [
      'quote_min_fill_bps_requires_fak',
      'quote_min_fill_bps_out_of_range',
      'quote_min_fill_bps_step_invalid',
      'quote_min_fill_bps_below_floor',
    ],
    check: ({ request, terms }) => {
      const { minFillBps } = request;
      if (!request.allowPartialFill) {
        return minFillBps === null ? null : reject('quote_min_fill_bps_requires_fak');
      }
      if (minFillBps !== null) {
        const isOutside =
          compare(minFillBps, constants.minFillBps) < 0 || compare(minFillBps, constants.maxFillBps) > 0;
        if (isOutside) {
          return reject('quote_min_fill_bps_out_of_range', {
            min_fill_bps: minFillBps,
            absolute_min_bps: constants.minFillBps,
            max_bps: constants.maxFillBps,
          });
        }
        if (raw(minFillBps) % raw(constants.fillStepBps) !== 0n) {
          return reject('quote_min_fill_bps_step_invalid', {
            min_fill_bps: minFillBps,
            step_bps: constants.fillStepBps,
          });
        }
      }
      // A size of nothing has no floors; its own gates refuse it.
      if (raw(request.notionalUsdPips) <= 0n || raw(request.leverageBps) <= 0n) return null;
      return fillFloorRefusalOf(request, terms);
    },
  },
];

/**
 * Highest leverage that is accepted now at the notional asked for, or at what of it clears: what the ladder would grant
 * of the maximum. Where it would grant nothing there, the market's own limit; a request clamped to it is then refused
 * with the code of what binds.
 */
function highestLeverageOf(context: QuoteContext): LeverageBps {
  const { request, terms, model, clearableNotionalUsdPips: clearable } = context;
  if (model === null) return constants.maxLeverageBps;
  const notional = max(request.notionalUsdPips, terms.minNotionalUsdPips);
  const granted = context.sizingOf({
    notionalUsdPips: notional,
    leverageBps: constants.maxLeverageBps,
    allowRevision: true,
  });
  const reached = request.allowPartialFill ? notional : min(notional, clearable);
  const isGranted = granted.kind === 'accepted' && compare(granted.notionalUsdPips, reached) >= 0;
  return isGranted ? granted.leverageBps : leverageLimitOf(model, reached);
}

/** Leverage outside the range of the service; `highestOf` says what would be granted instead. */
export function leverageRangeRefusalOf(
  { leverageBps }: Pick<QuoteRequest, 'leverageBps'>,
  highestOf: () => LeverageBps,
): Rejection | null {
  if (compare(leverageBps, constants.minLeverageBps) < 0) {
    return reject('quote_leverage_below_minimum', {
      current_book_leverage_bps: leverageBps,
      min_leverage_bps: constants.minLeverageBps,
    });
  }
  if (compare(leverageBps, constants.maxLeverageBps) <= 0) return null;
  return reject('quote_leverage_exceeds_maximum', {
    current_book_leverage_bps: leverageBps,
    max_leverage_bps: highestOf(),
  });
}

/** A notional below the partner's minimum. */
export function minimumNotionalRefusalOf(
  { notionalUsdPips }: Pick<QuoteRequest, 'notionalUsdPips'>,
  { minNotionalUsdPips }: Pick<PartnerTerms, 'minNotionalUsdPips'>,
): Rejection | null {
  if (compare(notionalUsdPips, minNotionalUsdPips) >= 0) return null;
  return reject('quote_notional_below_minimum', {
    min_notional_usd_pips: minNotionalUsdPips,
    requested_notional_usd_pips: notionalUsdPips,
  });
}

export const sizeFormGates: readonly Gate[] = [
  {
    // Only the range: the step was checked when the request was parsed. A request above the range is never clamped,
    // because the answer names what would be granted.
    name: 'leverage_range',
    needs: 'request',
    codes: ['quote_leverage_below_minimum', 'quote_leverage_exceeds_maximum'],
    check: (context) => leverageRangeRefusalOf(context.request, () => highestLeverageOf(context)),
  },
  {
    name: 'notional_minimum',
    needs: 'request',
    codes: ['quote_notional_below_minimum'],
    check: ({ request, terms }) => minimumNotionalRefusalOf(request, terms),
  },
];
