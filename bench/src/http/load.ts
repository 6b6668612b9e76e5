import type { Contestant, Effort, Observation } from '../harness/row.ts';
import { applyLoad, quantileOf } from './loadClient.ts';
import type { ServerProcess } from './serverProcess.ts';

/** Connections of a busy front end's gateway. */
const connectionCount = 64;

/** Longer than the usual rounds: a server warms up, and a queue has to fill. */
export const serverEffort: Effort = { rounds: 7, roundMs: 2_000 };

/** A server under load, and the requests it gets. */
export interface LoadedServer {
  readonly name: string;
  readonly server: ServerProcess;
  readonly requestOf: (index: number) => Buffer;
}

async function loaded({ name, server, requestOf }: LoadedServer, durationMs: number, ratePerSecond: number | null) {
  const result = await applyLoad({ port: server.port, requestOf }, { connectionCount, durationMs, ratePerSecond });
  const refused = [...result.statuses].filter(([status]) => status >= 300);
  const refusedCount = refused.reduce((sum, [, count]) => sum + count, 0);
  // A market may close or move away under the load; a contestant that refuses more measures something else.
  if (refusedCount > result.answeredCount / 10) throw new Error(`${name} answered ${JSON.stringify(refused)}`);
  return result;
}

/** A server whose rate is what it answers when every connection always has a request under way. */
export function serverWork(target: LoadedServer): Contestant {
  return {
    name: target.name,
    measureRate: async (durationMs) => {
      const { answeredCount, durationMs: spentMs } = await loaded(target, durationMs, null);
      return (answeredCount * 1_000) / spentMs;
    },
  };
}

/** Requests under way at a time in an overload: ten times those of the rows. */
const overloadCount = 10 * connectionCount;

/**
 * Ten times the clients, none of which waits between its requests: how much is still served, how fast, and how the
 * rest is refused.
 */
export async function observeOverload(
  { name, server, requestOf }: LoadedServer,
  ratesPerSecond: ReadonlyMap<string, number>,
): Promise<readonly Observation[]> {
  const shape = { connectionCount: overloadCount, durationMs: observedMs, ratePerSecond: null };
  const { servedLatenciesMs, statuses, durationMs } = await applyLoad({ port: server.port, requestOf }, shape);
  const unexpected = [...statuses.keys()].filter((status) => status >= 300 && status !== 429 && status !== 503);
  if (unexpected.length > 0) throw new Error(`${name} answered an overload with ${unexpected.join(', ')}`);
  const under = `of ${name} under ten times the clients`;
  const servedPerSecond = (servedLatenciesMs.length * 1_000) / durationMs;
  const refusedCount = (statuses.get(429) ?? 0) + (statuses.get(503) ?? 0);
  return [
    { what: `p99 ${under}, of what is served`, amount: quantileOf(servedLatenciesMs, 0.99), unit: 'ms' },
    {
      what: `rate ${under}, as a share of its saturation`,
      amount: servedPerSecond / (ratesPerSecond.get(name) ?? 0),
      unit: 'of it',
    },
    { what: `refusals ${under}`, amount: (refusedCount * 1_000) / durationMs, unit: 'a second' },
  ];
}

/** Shares of a server's own saturation at which its latency is looked at. */
const shares = [0.25, 0.5, 0.8];
const observedMs = 5_000;
/** One pause of the machine makes a p99 of one look: the middle one of three is shown. */
const lookCount = 3;

/** p99 of each server at shares of its own saturation, and the processor time it spends on a request. */
export async function observeServers(
  targets: readonly LoadedServer[],
  ratesPerSecond: ReadonlyMap<string, number>,
): Promise<readonly Observation[]> {
  const observations: Observation[] = [];
  for (const target of targets) {
    const saturation = ratesPerSecond.get(target.name) ?? 0;
    for (const share of shares) {
      const seen: number[] = [];
      for (let look = 0; look < lookCount; look += 1) {
        const { latenciesMs } = await loaded(target, observedMs, saturation * share);
        seen.push(quantileOf(latenciesMs, 0.99));
      }
      const what = `p99 of ${target.name} at ${share * 100} % of ${Math.round(saturation)} a second`;
      observations.push({ what, amount: quantileOf(Float64Array.from(seen).sort(), 0.5), unit: 'ms' });
    }
    const before = await target.server.cpuMs();
    const { answeredCount } = await loaded(target, observedMs, null);
    const amount = ((await target.server.cpuMs()) - before) / answeredCount;
    observations.push({ what: `processor time of ${target.name}`, amount, unit: 'ms a request' });
  }
  return observations;
}
