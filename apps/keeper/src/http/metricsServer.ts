import {
  type ChainReport,
  type FillReport,
  type Listening,
  type NodeHealth,
  type Operations,
  presentChainReport,
  presentFillReport,
  presentNodes,
  startOperationsServer,
  unfilledCausesOf,
} from '@core/runtime';
import { isHealthy, type TaskHealth } from '../runner/health.ts';

/**
 * Serve `/metrics` (Prometheus), `/healthz` (the process answers) and `/readyz` (no task is silent, the
 * chain moves and openings are filled) on loopback, or on `host`.
 */
export function startMetricsServer({
  registry,
  health,
  nodes,
  chain,
  fills,
  port,
  host,
}: {
  readonly registry: Operations['registry'];
  /** Health of each task of this process. */
  readonly health: () => readonly TaskHealth[];
  readonly nodes: Pick<NodeHealth, 'state'>;
  /** State of the chain as this process observes it. */
  readonly chain: () => ChainReport;
  /** Grants that ended lately. */
  readonly fills: { readonly reports: readonly FillReport[] };
  readonly port: number;
  readonly host?: string | undefined;
}): Promise<Listening> {
  const readiness = () => {
    const all = health();
    const silent = all.filter((task) => !isHealthy(task));
    const tasks = all.map((task) => ({
      name: task.name,
      interval_ms: task.intervalMs,
      silence_ms: Math.round(task.silenceMs),
      is_silent: !isHealthy(task),
    }));
    const { problems: chainProblems, ...shown } = presentChainReport(chain());
    const { reports } = fills;
    const problems = [...chainProblems, ...unfilledCausesOf(reports)];
    return {
      isReady: silent.length === 0 && problems.length === 0,
      detail: {
        silent: silent.map(({ name }) => name),
        problems,
        chain: { ...shown, nodes: presentNodes(nodes) },
        fills: reports.map(presentFillReport),
        tasks,
      },
    };
  };
  return startOperationsServer({ registry, readiness }, { port, ...(host !== undefined && { host }) });
}
