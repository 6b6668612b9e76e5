import { FriendlyError } from '@core/runtime';
import { NetworkError } from '@core/sdk';
import { type Answer, tableOf } from '../answer.ts';
import type { Context } from '../context.ts';
import { probe } from '../probe.ts';
import { durationSeconds, sideOf } from '../words.ts';

interface ScenarioRow {
  readonly name: string;
  readonly summary: string;
  readonly needs_market: boolean;
}

async function control({ stack }: Context, path: string, body?: object): Promise<unknown> {
  const url = `${stack().venueUrl}/control${path}`;
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await probe(url, body === undefined ? {} : post);
  if (answer.status === null) throw new NetworkError(`the venue does not answer at ${url}: ${answer.failure}`);
  if (answer.status >= 400) {
    const reason: unknown = Reflect.get(Object(answer.body), 'error');
    throw new FriendlyError(`The venue refused: ${typeof reason === 'string' ? reason : JSON.stringify(answer.body)}`);
  }
  return answer.body;
}

/** Advance the clock of chain, venue and service. */
export async function advance(context: Context, [duration = '']: readonly string[]): Promise<Answer> {
  const value = await control(context, '/clock', { advance_seconds: durationSeconds(duration) });
  const nowMs: unknown = Reflect.get(Object(value), 'now_ms');
  return { value, text: `clock set to ${new Date(Number(nowMs)).toISOString()}` };
}

function isScenario(value: unknown): value is ScenarioRow {
  const { name, needs_market: needsMarket, summary }: { readonly [Key in keyof ScenarioRow]?: unknown } = Object(value);
  return typeof name === 'string' && typeof needsMarket === 'boolean' && typeof summary === 'string';
}

/** Run a scenario, or list all scenarios. */
export async function scenario(context: Context, [name, market]: readonly string[]): Promise<Answer> {
  if (name === undefined) {
    const scenarios: unknown = Object(await control(context, '/scenarios')).scenarios;
    const value = Array.isArray(scenarios) ? scenarios.filter(isScenario) : [];
    const rows = value.map((row) => [row.name, row.needs_market ? 'yes' : 'no', row.summary]);
    return { value, text: tableOf(['SCENARIO', 'MARKET', 'EFFECT'], rows) };
  }
  return play(context, { name, market, params: paramsOf(context.option('params')) });
}

/** Drop the price of one side. */
export function crash(context: Context, [market]: readonly string[]): Promise<Answer> {
  const { option } = context;
  const params = { side: sideOf('--side', option('side') ?? 'yes'), by: option('by') ?? '0.30' };
  return play(context, { name: 'crash', market, params });
}

/** Resolve a market. */
export function resolve(context: Context, [market, outcome = '']: readonly string[]): Promise<Answer> {
  return play(context, { name: 'resolve', market, params: { outcome: sideOf('outcome', outcome) } });
}

async function play(
  context: Context,
  { name, market, params }: { readonly name: string; readonly market: string | undefined; readonly params: object },
): Promise<Answer> {
  const value = await control(context, '/scenarios', { name, params, ...(market !== undefined && { market }) });
  return { value, text: `ran scenario ${name}${market === undefined ? '' : ` on ${market}`}` };
}

function paramsOf(text: string | null): object {
  if (text === null) return {};
  try {
    return Object(JSON.parse(text));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new FriendlyError(`--params: expected a JSON object, got ${text}`, { cause });
  }
}
