import { createMetrics } from '@core/api';
import { createFillerMetrics } from '@core/filler';
import { createKeeperMetrics } from '@core/keeper';
import { signerMetrics } from '@core/price-signer';
import { NodeHealth, sharedMetrics, watchNodes } from '@core/runtime';
import { Registry } from 'prom-client';

/** Metric as a registry describes it. */
export interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
}

function kindOf(metric: object): DescribedMetric['kind'] {
  const name = metric.constructor.name.toLowerCase();
  if (name === 'counter' || name === 'histogram' || name === 'summary') return name;
  return 'gauge';
}

/** Return the metrics of a registry in the order of their registration. */
function describedIn(registry: Registry): readonly DescribedMetric[] {
  return registry.getMetricsAsArray().map((metric) => {
    const labels: unknown = Reflect.get(metric, 'labelNames');
    const { name, help } = metric;
    return { name, help, labels: Array.isArray(labels) ? labels.map(String) : [], kind: kindOf(metric) };
  });
}

/** Every metric of every program, by program: the catalogue of which alerts and dashboards are made. */
export function metricCatalogue(): Readonly<Record<string, readonly DescribedMetric[]>> {
  const ofApi = new Registry();
  const nodes = new NodeHealth(1);
  const pool = () => ({ openCount: 0, idleCount: 0, waitingCount: 0, database: null, isRedisReachable: null });
  sharedMetrics(ofApi).watchPool(pool);
  watchNodes(ofApi, nodes);
  const api = createMetrics({ signerImplementation: 'native', registry: ofApi });
  api.watch({
    connections: () => 0,
    eventsWaitingMs: () => 0,
    lockedTableCount: () => 0,
    headAgeMs: () => 0,
    isQuoteKeyAccepted: () => true,
    freeUsdcUnits: () => 0n,
  });
  const keeper = createKeeperMetrics();
  keeper.shared.watchPool(pool);
  watchNodes(keeper.registry, nodes);
  const signer = signerMetrics();
  watchNodes(signer.registry, nodes);
  signer.watch({ chainAgeMs: () => 0, headAgeMs: () => 0 });
  return {
    api: describedIn(ofApi),
    filler: describedIn(createFillerMetrics(nodes).registry),
    keeper: describedIn(keeper.registry),
    'price-signer': describedIn(signer.registry),
  };
}

const rateWindow = '5m';
const columns = 3;
const panelWidth = 24 / columns;
const panelHeight = 7;

/** Return the PromQL queries of a metric, each with its legend. */
export function queriesOf({ name, kind, labels }: DescribedMetric): readonly { expr: string; legendFormat: string }[] {
  const names = labels.filter((label) => label !== 'le' && label !== 'quantile');
  const legendFormat = [...names, 'instance'].map((label) => `{{${label}}}`).join(' ');
  switch (kind) {
    case 'counter':
      return [{ expr: `rate(${name}[${rateWindow}])`, legendFormat }];
    case 'histogram': {
      const groups = ['le', ...names].join(', ');
      return ['0.5', '0.99'].map((share) => ({
        expr: `histogram_quantile(${share}, sum by (${groups}) (rate(${name}_bucket[${rateWindow}])))`,
        legendFormat: `p${Number(share) * 100} ${names.map((label) => `{{${label}}}`).join(' ')}`.trim(),
      }));
    }
    case 'gauge':
    case 'summary':
      return [{ expr: name, legendFormat }];
  }
}

function unitOf({ name, kind }: DescribedMetric): string {
  if (name.endsWith('_bytes')) return 'bytes';
  if (name.endsWith('_last_success_seconds') || name.endsWith('_start_time_seconds')) return 'dateTimeAsIso';
  if (name.endsWith('_seconds')) return 's';
  return kind === 'counter' ? 'cps' : 'short';
}

function panelOf(metric: DescribedMetric, index: number) {
  return {
    id: index + 1,
    type: 'timeseries',
    title: metric.name,
    description: metric.help,
    datasource: { type: 'prometheus', uid: '${datasource}' },
    gridPos: {
      h: panelHeight,
      w: panelWidth,
      x: (index % columns) * panelWidth,
      y: Math.floor(index / columns) * panelHeight,
    },
    fieldConfig: { defaults: { unit: unitOf(metric) }, overrides: [] },
    targets: queriesOf(metric).map((query, position) => ({ refId: 'AB'[position], ...query })),
  };
}

/** Return the dashboard of Grafana for one program. */
export function dashboardText(program: string, metrics: readonly DescribedMetric[]): string {
  const dashboard = {
    uid: `lev-${program}`,
    title: `lev ${program}`,
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }] },
    panels: metrics.map(panelOf),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}
