import { z } from 'zod';
import type { SimVenue } from '../venue/simVenue.ts';
import { bookScenarios } from './bookScenarios.ts';
import { type Scenario, ScenarioRefusal } from './scenario.ts';
import { settlementScenarios } from './settlementScenarios.ts';
import { worldScenarios } from './worldScenarios.ts';

/** All scenarios of the venue. */
export const scenarios: readonly Scenario[] = [...bookScenarios, ...settlementScenarios, ...worldScenarios];

/** Aliases of scenarios. */
const aliases: Readonly<Record<string, string>> = {
  '425': 'restart_425',
  '425_restart': 'restart_425',
  restart: 'restart_425',
  '429': 'throttle_429',
  throttle: 'throttle_429',
  spread_blowout: 'spread_blow_out',
};

const canonical = (name: string): string => {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return aliases[plain] ?? plain;
};

const requestSchema = z.strictObject({
  name: z.string(),
  market: z.string().nullish(),
  params: z.record(z.string(), z.unknown()).nullish(),
});

const issuesText = (error: z.ZodError): string =>
  error.issues
    .map((issue) => [issue.path.join('.'), issue.message].filter((part) => part !== '').join(': '))
    .join('; ');

/** Result of a scenario, with its parameters and defaults. */
export interface PlayedScenario {
  readonly name: string;
  readonly market: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly now_ms: number;
  readonly until_ms: number | null;
}

/**
 * Run the scenario of a request body.
 *
 * @throws ScenarioRefusal with a useful text for anything that cannot be played.
 */
export async function playScenario(venue: SimVenue, body: unknown): Promise<PlayedScenario> {
  const request = requestSchema.safeParse(body);
  if (!request.success) throw new ScenarioRefusal(`{name, market, params} expected: ${issuesText(request.error)}`);
  const name = canonical(request.data.name);
  const scenario = scenarios.find((candidate) => candidate.name === name);
  if (scenario === undefined) {
    throw new ScenarioRefusal(
      `unknown scenario "${request.data.name}"; known are ${scenarios.map((known) => known.name).join(', ')}`,
    );
  }
  const slug = request.data.market ?? null;
  const running = slug === null ? null : (venue.markets.bySlug(slug) ?? null);
  if (slug !== null && running === null) throw new ScenarioRefusal(`no market has the slug "${slug}"`);
  if (scenario.needsMarket && running === null) throw new ScenarioRefusal(`scenario ${name} needs a market (its slug)`);
  const params = scenario.params.safeParse(request.data.params ?? {});
  if (!params.success) {
    const names = Object.keys(scenario.params.shape).join(', ') || 'none';
    throw new ScenarioRefusal(`params of ${name}: ${issuesText(params.error)} (known: ${names})`);
  }
  const nowMs = venue.nowMs;
  const { untilMs } = await scenario.play(request.data.params ?? {}, { venue, running, nowMs });
  return { name, market: slug, params: params.data, now_ms: nowMs, until_ms: untilMs };
}
