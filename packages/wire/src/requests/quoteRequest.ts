import { constants, raw } from '@core/pricing';
import { z } from 'zod';
import { leverageBpsNumber, pricePipsText, rateBpsNumber, usdPipsText } from '../codecs/quantities.ts';
import { providerValue, sideValue } from '../resources/market.ts';
import { expandOf, nameText } from './query.ts';

/** Leverage step of 0.25x. The gates check the range, because those refusals have codes. */
const stepBps = Number(raw(constants.leverageStepBps));
const steppedLeverageBps = z
  .int()
  .multipleOf(stepBps, `must be a multiple of ${stepBps}`)
  .meta({ minimum: Number(raw(constants.minLeverageBps)), maximum: Number(raw(constants.maxLeverageBps)) })
  .pipe(leverageBpsNumber);

const minimumSlippageBps = Number(raw(constants.minSlippageBps));
const maximumSlippageBps = Number(raw(constants.maxSlippageBps));
const slippageRule = `must be from ${minimumSlippageBps} to ${maximumSlippageBps}`;
const slippageBps = z
  .int()
  .min(minimumSlippageBps, slippageRule)
  .max(maximumSlippageBps, slippageRule)
  .pipe(rateBpsNumber);

const minFillBps = z
  .int()
  .meta({
    description: 'Smallest fill to accept. Only with `allow_partial_fill: true`; a multiple of 500',
    minimum: Number(raw(constants.minFillBps)),
    maximum: Number(raw(constants.maxFillBps)),
  })
  .pipe(rateBpsNumber);

/** Body of POST /quotes, /draft-quotes and their aliases (specification, Endpoints, Quotes). */
export const quoteRequest = z
  .strictObject({
    market_ticker: nameText,
    effective_side: sideValue,
    leverage_bps: steppedLeverageBps,
    notional_amount_usd_pips: usdPipsText,
    slippage_bps: slippageBps,
    provider: providerValue.default('venue'),
    allow_revision: z.boolean().default(false),
    allow_partial_fill: z.boolean().default(false),
    // Range, step and floor are gates with codes of their own.
    min_fill_bps: minFillBps.optional(),
  })
  .meta({ id: 'QuoteRequest' });

/** Query of quotes and promotions. */
export const quoteQuery = z.strictObject({ expand: expandOf(['max_gain', 'transaction', 'basis']) });

/** Query of drafts, which cannot open a position. */
export const draftQuery = z.strictObject({ expand: expandOf(['max_gain', 'basis']) });

/** Body of a promotion: empty, because the draft contains the request. */
export const promotionRequest = z.strictObject({}).optional();

/** Body of POST /fee-reports. */
export const feeReportRequest = z
  .strictObject({
    market_ticker: nameText,
    effective_side: sideValue,
    leverage_bps: steppedLeverageBps,
    notional_amount_usd_pips: usdPipsText,
    entry_price_usd_pips: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'must be a price from 1 to 9999 pips')
      .pipe(pricePipsText)
      .optional(),
  })
  .meta({ id: 'FeeReportRequest' });

/** Query of GET /fee-rates. */
export const feeRatesQuery = z.strictObject({ ticker: nameText.optional() });

/** Body of POST /tokens. The handler checks the form of the address, because that refusal has a code. */
export const tokenRequest = z.strictObject({ wallet_address: z.string() }).meta({ id: 'TokenRequest' });

export type QuoteRequestWire = z.input<typeof quoteRequest>;
