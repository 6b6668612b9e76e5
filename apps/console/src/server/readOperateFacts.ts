import type { FillerFigures, KeeperFigures, OperateFacts } from '../operateMessage.ts';
import { apiReadiness, keeperReadiness, partnerList } from '../operateSchemas.ts';
import { AlertWatch, type WatchedProgram } from './alertWatch.ts';
import type { LocalOrigins } from './localRoutes.ts';
import { type Sample, samplesOf, sumOf, valueOf } from './prometheus.ts';

/** Reads by endpoint; each throws when its program fails. */
export type OperateReads = { readonly [Name in keyof OperateFacts]: () => Promise<OperateFacts[Name]> };

/** Timeout of a read. A stopped program delays its own figures only. */
const timeoutMs = 5_000;

/** Build the reads of the operational endpoints of API, keeper and fillers, and the alerts that follow from them. */
export function operateReadsOf(origins: LocalOrigins, nowMs: () => number): OperateReads {
  const api = { name: 'API', url: origins.apiOperationsUrl };
  const keeper = { name: 'keeper', url: origins.keeperOperationsUrl };
  const fillers = origins.fillerOperationsUrls.map((url) => ({ name: new URL(url).host, url }));
  const watch = new AlertWatch();
  /** Read the metrics of a program, and record them or their absence for the alerts. */
  const metricsOf = async (program: Program, job: WatchedProgram): Promise<readonly Sample[]> => {
    const instance = { job, instance: originOf(program) };
    try {
      const samples = samplesOf(await textOf(program, '/metrics'));
      watch.record(instance, samples, nowMs());
      return samples;
    } catch (cause) {
      watch.drop(instance, nowMs());
      throw cause;
    }
  };
  return {
    api: async () => apiReadiness.parse(await jsonOf(api, '/readyz')),
    partners: async () => partnerList.parse(await jsonOf(api, '/partners')),
    tasks: async () => keeperReadiness.parse(await jsonOf(keeper, '/readyz')).tasks,
    figures: async () => keeperFiguresOf(await metricsOf(keeper, 'keeper')),
    fillers: () =>
      Promise.all(
        fillers.map(async (filler) => {
          const figures = await metricsOf(filler, 'filler').then(fillerFiguresOf, () => null);
          return { name: filler.name, figures };
        }),
      ),
    alerts: async () => {
      // The reading `api` reports an API that does not respond; its absence is recorded here.
      await Promise.allSettled([metricsOf(api, 'api')]);
      return watch.judge(nowMs());
    },
  };
}

interface Program {
  readonly name: string;
  readonly url: string | null;
}

function originOf({ name, url }: Program): string {
  if (url === null) throw new Error(`the address of the ${name} is not configured`);
  return new URL(url).origin;
}

const jsonOf = async (program: Program, path: string): Promise<unknown> => JSON.parse(await textOf(program, path));

/** Return the body of an endpoint. A program that is not ready responds with 503 and its facts. */
async function textOf(program: Program, path: string): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${originOf(program)}${path}`, { redirect: 'manual', signal });
  if (!response.ok && response.status !== 503) throw new Error(`${path} answered ${response.status}`);
  return response.text();
}

function keeperFiguresOf(samples: readonly Sample[]): KeeperFigures {
  const dueFor = (reason: string): number | null => valueOf(samples, 'keeper_due_debts', { reason });
  return {
    headAgeSeconds: valueOf(samples, 'keeper_head_age_seconds'),
    nonceAgeSeconds: valueOf(samples, 'keeper_nonce_age_seconds'),
    venueRefusals: sumOf(samples, 'keeper_venue_refusals_total'),
    failingPositions: sumOf(samples, 'keeper_failing_positions'),
    followedDebts: valueOf(samples, 'keeper_followed_debts'),
    dueDebts: sumOf(samples, 'keeper_due_debts'),
    dueLiquidations: dueFor('liquidation'),
    dueHardExits: dueFor('hard_exit'),
    dueUnwinds: dueFor('unwind'),
    unwindAlerts: valueOf(samples, 'keeper_unwind_alerts_total'),
    unknownQuotes: valueOf(samples, 'keeper_unknown_quotes'),
    unlistedPositions: valueOf(samples, 'keeper_unlisted_positions'),
    indexedBlock: valueOf(samples, 'keeper_indexed_block'),
  };
}

const fillerFiguresOf = (samples: readonly Sample[]): FillerFigures => ({
  usdcUnits: valueOf(samples, 'filler_usdc_units'),
  unsoldUsdcUnits: valueOf(samples, 'filler_unsold_usdc_units'),
  differenceUsdcUnits: valueOf(samples, 'filler_accounts_difference_usdc_units'),
  liveGrants: valueOf(samples, 'filler_live_grants'),
  unfinished: sumOf(samples, 'filler_unfinished'),
  isStopped: valueOf(samples, 'filler_stopped') === 1,
});
