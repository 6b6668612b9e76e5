import { type Listening, type Operations, startOperationsServer } from '@core/runtime';
import { isHealthy, type TaskHealth } from '../runner/health.ts';

/** `/metrics` (Prometheus), `/healthz` (the process answers), `/readyz` (no task is silent), on loopback only. */
export function startMetricsServer({
  registry,
  health,
  port,
}: {
  readonly registry: Operations['registry'];
  /** How the tasks of this process are doing. */
  readonly health: () => readonly TaskHealth[];
  readonly port: number;
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
    return { isReady: silent.length === 0, detail: { silent: silent.map(({ name }) => name), tasks } };
  };
  return startOperationsServer({ registry, readiness }, port);
}
