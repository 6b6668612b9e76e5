import { isAddress } from 'viem';
import { z } from 'zod';
import { parseDecimal } from '../units/decimals.ts';
import { type Scenario, type ScenarioContext, ScenarioRefusal, scenario, tradingMarketOf } from './scenario.ts';

const secondsOf = (byDefault: number) => z.number().positive().max(604_800).default(byDefault);

const tokensText = z
  .string()
  .refine((written) => parseDecimal(written, 6) !== null, 'must be a decimal number of tokens');

/** Return the fault injection of the exchange on chain; a paper venue has none. */
function trapsOf({ venue }: ScenarioContext) {
  const { traps } = venue.options.settlement;
  if (traps === null) throw new ScenarioRefusal('this venue settles on paper: it has no exchange for fault injection');
  return traps;
}

/** Scenarios of settlement on chain. */
export const settlementScenarios: readonly Scenario[] = [
  scenario({
    name: 'version_flip',
    summary: 'the catalogue lists the market under contracts of the other version, with other ids',
    needsMarket: true,
    params: z.strictObject({ seconds: secondsOf(3_600) }),
    play: (params, context) => {
      const { market } = tradingMarketOf(context);
      const untilMs = context.nowMs + params.seconds * 1000;
      market.effects.moveVersion(untilMs);
      return { untilMs };
    },
  }),
  scenario({
    name: 'quote_token',
    summary: 'makers quote this token only: orders on it match directly, orders on the other mint and merge',
    needsMarket: true,
    params: z.strictObject({
      token: z
        .string()
        .toLowerCase()
        .pipe(z.enum(['yes', 'no'])),
      seconds: secondsOf(600),
    }),
    play: (params, context) => {
      const running = tradingMarketOf(context);
      const untilMs = context.nowMs + params.seconds * 1000;
      running.market.effects.quoteOnly(untilMs, params.token === 'yes' ? 0 : 1);
      running.making.withdraw();
      context.venue.tick(running);
      return { untilMs };
    },
  }),
  scenario({
    name: 'taker_delay',
    summary: 'an order that takes from the book is answered as delayed, and matched or not after this many seconds',
    needsMarket: true,
    params: z.strictObject({ delay: z.number().positive().max(60).default(3), seconds: secondsOf(600) }),
    play: (params, context) => {
      const untilMs = context.nowMs + params.seconds * 1000;
      tradingMarketOf(context).market.effects.delayTakers(untilMs, params.delay * 1000);
      return { untilMs };
    },
  }),
  scenario({
    name: 'maker_fees',
    summary: 'makers pay the fee of the market too: on top of a purchase, out of a sale',
    needsMarket: true,
    params: z.strictObject({ seconds: secondsOf(600) }),
    play: (params, context) => {
      const untilMs = context.nowMs + params.seconds * 1000;
      tradingMarketOf(context).market.effects.chargeMakers(untilMs);
      return { untilMs };
    },
  }),
  scenario({
    name: 'gross_fill',
    summary: 'purchases give what they would cost at their limit; where a pair is minted, their orders move by that',
    needsMarket: true,
    params: z.strictObject({ seconds: secondsOf(600) }),
    play: (params, context) => {
      const untilMs = context.nowMs + params.seconds * 1000;
      tradingMarketOf(context).market.effects.takeGross(untilMs);
      return { untilMs };
    },
  }),
  scenario({
    name: 'loose_fills',
    summary: 'direct fills as before the venue’s audit: orders move by what is said, makers may take more of a sale',
    needsMarket: true,
    params: z.strictObject({
      on: z.boolean().default(true),
      /** Tokens that makers take from any sale. */
      makers_take_tokens: tokensText.optional(),
      seconds: secondsOf(600),
    }),
    play: async (params, context) => {
      const { effects } = tradingMarketOf(context).market;
      await trapsOf(context).looseDirectFills(params.on);
      const untilMs = params.on ? context.nowMs + params.seconds * 1000 : context.nowMs;
      effects.takeGross(untilMs);
      effects.oversell(untilMs, parseDecimal(params.makers_take_tokens ?? '0', 6) ?? 0n);
      // The exchange stays loose until switched off; honest amounts settle in the same way.
      return { untilMs };
    },
  }),
  scenario({
    name: 'operator_pause',
    summary: 'the operator pauses an account, as the real venue cannot: nothing of it is filled',
    needsMarket: false,
    params: z.strictObject({
      account: z.string().refine((text) => isAddress(text, { strict: false }), 'must be an address'),
      paused: z.boolean().default(true),
    }),
    play: async ({ account, paused }, context) => {
      if (!isAddress(account, { strict: false })) throw new ScenarioRefusal('account must be an address');
      await trapsOf(context).pauseUser(account, paused);
      return { untilMs: null };
    },
  }),
];
