import type { Contestant, Effort, Observation } from '../harness/row.ts';
import { applyLoad, type LoadResult, quantileOf } from './loadClient.ts';
import type { ServerProcess } from './serverProcess.ts';

/** Connections of a busy front end's gateway. */
const connectionCount = 64;

/** Statuses of a full server. */
const sheddingStatuses: readonly number[] = [429, 503];

/** Longer than default rounds: a server warms up, and a queue has to fill. */
export const serverEffort: Effort = { rounds: 7, roundMs: 2_000 };

/** A server under load and its requests. */
export interface LoadedServer {
  readonly name: string;
  readonly server: ServerProcess;
  readonly requestOf: (index: number) => Buffer;
}

async function loaded(
  { name, server, requestOf }: LoadedServer,
  durationMs: number,
  ratePerSecond: number | null,
): Promise<LoadResult> {
  const result = await applyLoad({ port: server.port, requestOf }, { connectionCount, durationMs, ratePerSecond });
  expectAnswers(name, result, []);
  return result;
}

/**
 * Check the answers of a run: a market may close or move under load.
 *
 * @throws Error when more than a tenth of the requests that were not shed is refused, or for any server failure.
 */
function expectAnswers(name: string, result: LoadResult, shedding: readonly number[]): void {
  const { answeredCount, statuses, refusals } = result;
  const countOf = (chosen: readonly number[]): number =>
    chosen.reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
  const refusing = [...statuses.keys()].filter((status) => status >= 300 && !shedding.includes(status));
  const hasFailed = refusing.some((status) => status >= 500 && !sheddingStatuses.includes(status));
  if (!hasFailed && countOf(refusing) * 10 <= answeredCount - countOf(shedding)) return;
  const answers = refusing.map((status) => `${statuses.get(status)} times ${status}: ${refusals.get(status)}`);
  throw new Error(`${name} answered ${answers.join('; ')}`);
}

/** Return a contestant whose rate is that of a server with a request on every connection at all times. */
export function serverWork(target: LoadedServer): Contestant {
  return {
    name: target.name,
    measureRate: async (durationMs) => {
      const { answeredCount, durationMs: spentMs } = await loaded(target, durationMs, null);
      return (answeredCount * 1_000) / spentMs;
    },
  };
}

/** Parallel requests of an overload: ten times those of the rows. */
const overloadCount = 10 * connectionCount;

const observedMs = 5_000;
/** Minimum share of its best rate that an overloaded server must serve, and maximum growth of its latency. */
const overloadBars = { served: { atLeast: 0.7 }, p99: { atMost: 3 } };

/** Measure ten times the clients without pauses: served share, latency, and form of refusals. */
export async function observeOverload(
  target: LoadedServer,
  ratesPerSecond: ReadonlyMap<string, number>,
): Promise<readonly Observation[]> {
  const { name, server, requestOf } = target;
  const usualMs = quantileOf((await loaded(target, observedMs, null)).latenciesMs, 0.99);
  const shape = { connectionCount: overloadCount, durationMs: observedMs, ratePerSecond: null };
  const result = await applyLoad({ port: server.port, requestOf }, shape);
  expectAnswers(`${name} under an overload`, result, sheddingStatuses);
  const { servedLatenciesMs, statuses, durationMs } = result;
  const under = `of ${name} under ten times the clients`;
  const servedPerSecond = (servedLatenciesMs.length * 1_000) / durationMs;
  const servedShare = servedPerSecond / (ratesPerSecond.get(name) ?? 0);
  const refusedCount = sheddingStatuses.reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
  const servedMs = quantileOf(servedLatenciesMs, 0.99);
  return [
    { what: `p99 of ${name} saturated`, amount: usualMs, unit: 'ms' },
    { what: `p99 ${under}, of what is served`, amount: servedMs, unit: 'ms' },
    { what: 'that, against saturated', amount: servedMs / usualMs, unit: 'times', ...overloadBars.p99 },
    { what: `rate ${under}, against saturated`, amount: servedShare, unit: 'of it', ...overloadBars.served },
    { what: `refusals ${under}`, amount: (refusedCount * 1_000) / durationMs, unit: 'a second' },
  ];
}

/** Shares of a server's saturation at which latency is measured; bars apply to the busy ones. */
const shares = [
  { share: 0.25, isBusy: false },
  { share: 0.5, isBusy: true },
  { share: 0.8, isBusy: true },
];
/** One pause of the machine makes a p99: the median of five interleaved runs is shown. */
const lookCount = 5;
const lookMs = 3_000;

interface ServerAndFloor {
  readonly subject: LoadedServer;
  readonly floor: LoadedServer;
  readonly bar?: Pick<Observation, 'atMost'>;
}

/**
 * Measure the p99 of a server and its floor at shares of their saturation, and the processor time of a request. A row
 * may limit the ratio of both p99.
 */
export async function observeServers(
  { subject, floor, bar = {} }: ServerAndFloor,
  ratesPerSecond: ReadonlyMap<string, number>,
): Promise<readonly Observation[]> {
  const p99At = async (target: LoadedServer, share: number): Promise<number> => {
    const ratePerSecond = (ratesPerSecond.get(target.name) ?? 0) * share;
    return quantileOf((await loaded(target, lookMs, ratePerSecond)).latenciesMs, 0.99);
  };
  const observations: Observation[] = [];
  for (const { share, isBusy } of shares) {
    const looks: { readonly own: number; readonly floors: number }[] = [];
    for (let look = 0; look < lookCount; look += 1) {
      looks.push({ own: await p99At(subject, share), floors: await p99At(floor, share) });
    }
    const at = `at ${share * 100} % of its saturation`;
    const own = middleOf(looks.map((look) => look.own));
    const floors = middleOf(looks.map((look) => look.floors));
    const ratio = middleOf(looks.map((look) => look.own / look.floors));
    observations.push(
      { what: `p99 of ${subject.name} ${at}`, amount: own, unit: 'ms' },
      { what: `p99 of ${floor.name} ${at}`, amount: floors, unit: 'ms' },
      { what: `the one against the other ${at}`, amount: ratio, unit: 'times', ...(isBusy ? bar : {}) },
    );
  }
  for (const target of [subject, floor]) {
    const before = await target.server.cpuMs();
    const { answeredCount } = await loaded(target, observedMs, null);
    const amount = ((await target.server.cpuMs()) - before) / answeredCount;
    observations.push({ what: `processor time of ${target.name}`, amount, unit: 'ms a request' });
  }
  return observations;
}

const middleOf = (values: readonly number[]): number => quantileOf(Float64Array.from(values).sort(), 0.5);
