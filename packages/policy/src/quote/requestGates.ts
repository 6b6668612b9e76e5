import { reject } from '@core/errors';
import { compare, constants, type LeverageBps, max, min, raw } from '@core/pricing';
import { leverageLimitOf } from '../leverage/sideModel.ts';
import type { Gate } from './gate.ts';
import { fillFloorRefusalOf } from './partialOpen.ts';
import type { QuoteContext } from './quoteContext.ts';

const evmAddress = /^0x[0-9a-fA-F]{40}$/;

export const serviceGates: readonly Gate[] = [
  {
    name: 'kill_switches',
    needs: 'service',
    codes: ['quote_creation_disabled'],
    check: ({ service, request, config }) => {
      const { isQuoteCreationEnabled, isPartialOpenEnabled, keeperHeartbeatAgeMs } = service;
      const isKeeperSilent =
        keeperHeartbeatAgeMs === null || keeperHeartbeatAgeMs > config.ages.maxKeeperHeartbeatAgeMs;
      const isOff = !isQuoteCreationEnabled || isKeeperSilent || (request.allowPartialFill && !isPartialOpenEnabled);
      return isOff ? reject('quote_creation_disabled') : null;
    },
  },
  {
    name: 'wallet_form',
    needs: 'request',
    codes: ['quote_invalid_venue_wallet_address'],
    check: ({ request }) =>
      evmAddress.test(request.walletAddress) ? null : reject('quote_invalid_venue_wallet_address'),
  },
  {
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
 * of the maximum. Where it would grant nothing there, the market's own limit; the request clamped to it is told what
 * stands in its way.
 */
function highestLeverageOf(context: QuoteContext): LeverageBps {
  const { request, terms, model, clearableNotionalUsdPips: clearable } = context;
  if (model === null) return constants.maxLeverageBps;
  const asked = max(request.notionalUsdPips, terms.minNotionalUsdPips);
  const granted = context.sizingOf({
    notionalUsdPips: asked,
    leverageBps: constants.maxLeverageBps,
    allowRevision: true,
  });
  const reached = request.allowPartialFill ? asked : min(asked, clearable);
  const isGranted = granted.kind === 'accepted' && compare(granted.notionalUsdPips, reached) >= 0;
  return isGranted ? granted.leverageBps : leverageLimitOf(model, reached);
}

export const sizeFormGates: readonly Gate[] = [
  {
    name: 'leverage_range',
    needs: 'request',
    codes: ['quote_leverage_below_minimum', 'quote_leverage_exceeds_maximum'],
    check: (context) => {
      const { request } = context;
      if (compare(request.leverageBps, constants.minLeverageBps) < 0) {
        return reject('quote_leverage_below_minimum', {
          current_book_leverage_bps: request.leverageBps,
          min_leverage_bps: constants.minLeverageBps,
        });
      }
      if (compare(request.leverageBps, constants.maxLeverageBps) <= 0) return null;
      return reject('quote_leverage_exceeds_maximum', {
        current_book_leverage_bps: request.leverageBps,
        max_leverage_bps: highestLeverageOf(context),
      });
    },
  },
  {
    name: 'notional_minimum',
    needs: 'request',
    codes: ['quote_notional_below_minimum'],
    check: ({ request, terms }) =>
      compare(request.notionalUsdPips, terms.minNotionalUsdPips) >= 0
        ? null
        : reject('quote_notional_below_minimum', {
            min_notional_usd_pips: terms.minNotionalUsdPips,
            requested_notional_usd_pips: request.notionalUsdPips,
          }),
  },
];
