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
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await probe(url, body === undefined ? {} : sent);
  if (answer.status === null) throw new NetworkError(`the venue does not answer at ${url}: ${answer.failure}`);
  if (answer.status >= 400) throw new FriendlyError(`the venue refused: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Moves the clock of everything. */
export async function advance(context: Context, [duration = '']: readonly string[]): Promise<Answer> {
  const value = await control(context, '/clock', { advance_seconds: durationSeconds(duration) });
  const nowMs: unknown = Reflect.get(Object(value), 'now_ms');
  return { value, text: `it is ${new Date(Number(nowMs)).toISOString()}` };
}

/** Plays a scenario, or lists them. */
export async function scenario(context: Context, [name, market]: readonly string[]): Promise<Answer> {
  if (name === undefined) {
    const value = (await control(context, '/scenarios')) as { readonly scenarios: readonly ScenarioRow[] };
    const rows = value.scenarios.map((row) => [row.name, row.needs_market ? 'yes' : 'no', row.summary]);
    return { value: value.scenarios, text: tableOf(['SCENARIO', 'MARKET', 'WHAT HAPPENS'], rows) };
  }
  return play(context, { name, market, params: paramsOf(context.option('params')) });
}

/** Lets a price fall. */
export function crash(context: Context, [market]: readonly string[]): Promise<Answer> {
  const { option } = context;
  const params = { side: sideOf('--side', option('side') ?? 'yes'), by: option('by') ?? '0.30' };
  return play(context, { name: 'crash', market, params });
}

/** Resolves a market. */
export function resolve(context: Context, [market, outcome = '']: readonly string[]): Promise<Answer> {
  return play(context, { name: 'resolve', market, params: { outcome: sideOf('outcome', outcome) } });
}

async function play(
  context: Context,
  { name, market, params }: { readonly name: string; readonly market: string | undefined; readonly params: object },
): Promise<Answer> {
  const value = await control(context, '/scenarios', { name, params, ...(market !== undefined && { market }) });
  return { value, text: `played ${name}${market === undefined ? '' : ` on ${market}`}` };
}

function paramsOf(text: string | null): object {
  if (text === null) return {};
  try {
    return Object(JSON.parse(text));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new FriendlyError(`--params: give a JSON object, not ${text}`, { cause });
  }
}
