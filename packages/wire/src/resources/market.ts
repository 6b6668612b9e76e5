import { rejectionReasonCodes } from '@core/errors';
import { z } from 'zod';
import { bytes32Hex, idText, isoTime, uint256Text } from '../codecs/formats.ts';
import { moneyShape, nullableMoneyShape, nullablePriceShape } from '../codecs/moneyShapes.ts';
import { leverageBpsNumber, rateBpsNumber } from '../codecs/quantities.ts';

export const providerValue = z.literal('venue');
export const sideValue = z.enum(['yes', 'no']);
export const categoryValue = z.enum(['crypto', 'sport']);
export const marketStatusValue = z.enum(['active', 'closed', 'determined', 'finalized', 'disputed']);
const rejectionReasonValue = z.enum(rejectionReasonCodes);

const sideEligibility = z.object({
  accepting_new_positions: z.boolean(),
  rejection_reason_code: rejectionReasonValue.nullable(),
});

const leveragePerNotional = z.object({
  at100_usd_bps: leverageBpsNumber,
  at500_usd_bps: leverageBpsNumber,
  at1000_usd_bps: leverageBpsNumber,
  at10000_usd_bps: leverageBpsNumber,
});

/** Origination tier: the fee of the first tier whose maximum is at least the leverage applies. */
export const originationTier = z.object({ max_leverage_bps: leverageBpsNumber, fee_bps: rateBpsNumber });

/** Best prices of both books; an empty or outdated side is null. */
export const marketPrices = z.object({
  ...nullablePriceShape('yes_ask_price'),
  ...nullablePriceShape('yes_bid_price'),
  ...nullablePriceShape('no_ask_price'),
  ...nullablePriceShape('no_bid_price'),
});

/** Market (specification, Resources, Market). */
export const market = z
  .object({
    id: idText('mkt'),
    ticker: z.string().meta({ deprecated: true, description: 'Equal to `venue.slug`' }),
    venue: z.object({
      slug: z.string(),
      condition_id: bytes32Hex.nullable(),
      yes_token_id: uint256Text,
      no_token_id: uint256Text,
    }),
    title: z.string().nullable(),
    yes_sub_title: z.string().nullable(),
    no_sub_title: z
      .string()
      .nullable()
      .meta({ description: 'Description of the NO outcome. Not part of the specification' }),
    category: categoryValue,
    event: z.object({ ticker: z.string(), title: z.string(), series_ticker: z.string().nullable() }),
    status: marketStatusValue,
    tags: z.array(z.string()),
    close_time: isoTime.nullable(),
    discovered_at: isoTime,
    latest_enter_at: isoTime.nullable(),
    provider: providerValue,
    accepting_new_positions: z.boolean(),
    rejection_reason_code: rejectionReasonValue.nullable(),
    sided_eligibility: z.object({ yes: sideEligibility, no: sideEligibility }),
    ...moneyShape('min_collateral'),
    ...moneyShape('min_notional'),
    leverage: z.object({
      min_bps: leverageBpsNumber,
      max_yes_bps: leverageBpsNumber,
      max_no_bps: leverageBpsNumber,
      step_bps: leverageBpsNumber,
      max_market_leverage_per_notional: z.object({ yes: leveragePerNotional, no: leveragePerNotional }),
    }),
    fees: z.object({
      origination_tiers: z.array(originationTier),
      lifetime_fee_apr_bps: rateBpsNumber,
      liquidation_fee_bps: rateBpsNumber,
    }),
    ...nullableMoneyShape('max_notional_yes'),
    ...nullableMoneyShape('max_notional_no'),
    ...nullableMoneyShape('capacity_max_notional_yes'),
    ...nullableMoneyShape('capacity_max_notional_no'),
    ...nullableMoneyShape('slippage_max_notional_yes'),
    ...nullableMoneyShape('slippage_max_notional_no'),
    prices: marketPrices.nullable().optional().meta({ description: 'Only with `expand=prices`' }),
    rules: z
      .string()
      .nullable()
      .optional()
      .meta({
        description:
          'Only with `expand=rules`: rules of the resolution in the words of the venue, plain text of at most 10,000 ' +
          'characters with line breaks. Not part of the specification',
      }),
    resolution_source: z
      .string()
      .nullable()
      .optional()
      .meta({
        description:
          'Only with `expand=rules`: source that decides the resolution in the words of the venue, often a URL. ' +
          'Untrusted: link it only when it is an http or https URL. Not part of the specification',
      }),
  })
  .meta({
    id: 'Market',
    description:
      '`max_notional_*` is the largest notional that a quote grants unchanged now, at the minimum leverage and a ' +
      'slippage of 500 basis points, to a wallet without positions. It is within the capacity, the slippage maximum, ' +
      'and the remaining limits of the partner and of the user.',
  });

/** Wire form of a market. */
export type MarketWire = z.input<typeof market>;
