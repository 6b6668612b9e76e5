import type { z } from 'zod';
import type { RunningMarket } from '../venue/marketRegistry.ts';
import type { SimVenue } from '../venue/simVenue.ts';

/** Rejection of a scenario, returned as 400 with this text. */
export class ScenarioRefusal extends Error {}

export interface ScenarioContext {
  readonly venue: SimVenue;
  /** Null only for scenarios of the whole venue. */
  readonly running: RunningMarket | null;
  readonly nowMs: number;
}

export interface ScenarioOutcome {
  /** Venue time at which the effect ends; null when it has no end. */
  readonly untilMs: number | null;
}

export interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly needsMarket: boolean;
  readonly params: z.ZodObject;
  play(params: unknown, context: ScenarioContext): Promise<ScenarioOutcome>;
}

/** A scenario whose parameters are typed by their schema. */
export function scenario<Params extends z.ZodObject>(definition: {
  readonly name: string;
  readonly summary: string;
  readonly needsMarket: boolean;
  readonly params: Params;
  readonly play: (params: z.output<Params>, context: ScenarioContext) => ScenarioOutcome | Promise<ScenarioOutcome>;
}): Scenario {
  return {
    name: definition.name,
    summary: definition.summary,
    needsMarket: definition.needsMarket,
    params: definition.params,
    play: async (params, context) => definition.play(definition.params.parse(params), context),
  };
}

/** Return the market of a scenario that needs one. */
export function marketOf(context: ScenarioContext): RunningMarket {
  if (context.running === null) throw new ScenarioRefusal('this scenario needs a market');
  return context.running;
}

/** Return the market while it trades. */
export function tradingMarketOf(context: ScenarioContext): RunningMarket {
  const running = marketOf(context);
  const { market } = running;
  if (market.stage !== 'trading') {
    throw new ScenarioRefusal(`${market.slug} does not trade any more: it is ${market.stage}`);
  }
  return running;
}
