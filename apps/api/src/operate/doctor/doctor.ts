import { chainClientOf, openClock } from '@core/runtime';
import { openStore } from '@core/store';
import type { Operated, Operations } from '../command.ts';
import { chainChecks } from './chainChecks.ts';
import { type Check, type Deployment, type Finding, failed, skipped } from './check.ts';
import { readDoctorSettings } from './doctorSettings.ts';
import { serviceChecks } from './serviceChecks.ts';

interface Outcome extends Omit<Finding, 'fix'> {
  readonly name: string;
  readonly fix: string | null;
}

const requestTimeoutMs = 5_000;
const nodeFailure = (cause: unknown): string =>
  (cause instanceof Error ? cause.message.split('\n')[0] : undefined) ?? String(cause);

/**
 * Compare the settings of the programs with chain, database, venue, price signers and API. Nothing is changed.
 * @throws FriendlyError for invalid settings.
 */
export async function doctor({ environment }: Pick<Operations, 'environment'>): Promise<Operated> {
  const settings = readDoctorSettings(environment);
  const clock = await openClock(settings.CLOCK_URL ?? null);
  const store = openStore({ databaseUrl: settings.DATABASE_URL, redisUrl: settings.REDIS_URL, maxConnections: 1 });
  const client = chainClientOf({ rpcUrl: settings.RPC_URL, timeoutMs: requestTimeoutMs, retryCount: 1 });
  try {
    const outcomes = await outcomesOf({ settings, client, store, nowMs: () => clock.nowMs() });
    return presented(outcomes);
  } finally {
    clock.close();
    await store.close();
  }
}

async function outcomesOf(deployment: Deployment): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const failures = new Set<string>();
  for (const check of [...chainChecks, ...serviceChecks]) {
    const missing = check.after.find((name) => failures.has(name));
    const finding = missing === undefined ? await observed(check, deployment) : skipped(`needs ${missing}`);
    if (finding.state === 'failed') failures.add(check.name);
    outcomes.push({
      name: check.name,
      ...finding,
      fix: finding.state === 'failed' ? (finding.fix ?? check.fix) : null,
    });
  }
  return outcomes;
}

/** Run a check. A fault of the world is a finding too. */
async function observed(check: Check, deployment: Deployment): Promise<Finding> {
  try {
    return await check.observe(deployment);
  } catch (cause) {
    return failed(nodeFailure(cause));
  }
}

const marks = { ok: '✔', failed: '✖', skipped: '–' } as const;

function presented(outcomes: readonly Outcome[]): Operated {
  const count = outcomes.filter(({ state }) => state === 'failed').length;
  const lines = outcomes.map(({ name, state, detail, fix }) => {
    return `${marks[state]} ${name.padEnd(17)} ${detail}${fix === null ? '' : `\n    ${fix}`}`;
  });
  const summary = count === 0 ? 'all checks passed' : `${count} of ${outcomes.length} checks failed`;
  return {
    value: { checks: outcomes, failed: count },
    text: [...lines, summary].join('\n'),
    isFailedCheck: count > 0,
  };
}
