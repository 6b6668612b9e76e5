import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { alertTable, scrapedJobs } from '@core/runtime';
import { expect, test } from 'vitest';
import { alertRules, alertTests } from '../../testing/alerts/alertFiles.ts';
import { dashboardText, metricCatalogue, queriesOf } from '../../testing/alerts/dashboardFiles.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const catalogue = metricCatalogue();
/** Metrics of the programs, and the one that Prometheus itself records of each. */
const exportedNames = new Set([
  'up',
  ...Object.values(catalogue).flatMap((metrics) => metrics.map(({ name }) => name)),
]);

test('ops/prometheus: rules and their unit tests are those of the table', () => {
  expect(textOf('ops/prometheus/alerts.yml')).toBe(alertRules());
  expect(textOf('ops/prometheus/alerts.test.yml')).toBe(alertTests());
});

test.each(alertTable.map((alert) => [alert.name, alert] as const))(
  '%s: its metrics are exported, its samples use no other, and it has a page',
  (name, { expression, firing, quiet }) => {
    const metrics = expression.selectors.map((selector) => selector.name);
    expect(metrics.length).toBeGreaterThan(0);
    const unknown = metrics.filter(
      (metric) => ![metric, metric.replace(/_count$/, '')].some((one) => exportedNames.has(one)),
    );
    expect(unknown).toEqual([]);
    const used = new Set<string>(metrics);
    for (const series of [firing, quiet].flatMap(Object.keys)) expect(used).toContain(series.replace(/\{.*/, ''));
    expect(textOf(`docs/operate/runbook/${name}.md`)).toMatch(/^# .+\n\n[\s\S]+## Do/);
  },
);

test('ops/prometheus: the scrape file has the jobs of rules and dashboards, and reads the rules', () => {
  const text = textOf('ops/prometheus/prometheus.yml');
  const jobs = [...text.matchAll(/job_name: (\S+)/g)].map(([, job]) => job);
  expect(jobs).toEqual([...scrapedJobs]);
  expect(new Set(jobs)).toEqual(new Set(Object.keys(catalogue)));
  expect(text).toContain('rule_files: [alerts.yml]');
  const selectors = alertTable.flatMap(({ expression }) => expression.selectors);
  expect(jobs).toEqual(expect.arrayContaining(selectors.flatMap(({ labels }) => labels['job'] ?? [])));
});

test('ops/prometheus: the example of Alertmanager has a receiver for each severity', () => {
  const text = textOf('ops/prometheus/alertmanager.yml');
  const receivers = [...text.matchAll(/^ {2}- name: (\S+)/gm)].map(([, name]) => name);
  expect(receivers).toEqual(['page', 'ticket']);
  for (const { severity } of alertTable) expect(receivers).toContain(severity);
});

test('ops/grafana: one dashboard for each program, with a panel for each of its metrics', () => {
  for (const [program, metrics] of Object.entries(catalogue)) {
    const text = textOf(`ops/grafana/${program}.json`);
    expect(text).toBe(dashboardText(program, metrics));
    const { panels } = JSON.parse(text) as { panels: readonly { title: string; targets: readonly object[] }[] };
    expect(panels.map(({ title }) => title)).toEqual(metrics.map(({ name }) => name));
    expect(panels.every(({ targets }) => targets.length > 0)).toBe(true);
  }
  expect(readdirSync(path.join(root, 'ops/grafana')).toSorted()).toEqual(
    Object.keys(catalogue)
      .map((program) => `${program}.json`)
      .toSorted(),
  );
});

test('ops/grafana: every program has figures of process and event loop, all but the filler of venue and signatures', () => {
  const ofProcess = ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'];
  const ofService = ['venue_request_seconds', 'signing_seconds'];
  for (const [program, metrics] of Object.entries(catalogue)) {
    const expectedNames = program === 'filler' ? ofProcess : [...ofProcess, ...ofService];
    expect(metrics.map(({ name }) => name)).toEqual(expect.arrayContaining(expectedNames));
  }
});

// Debian's package `prometheus` has it.
const promtool = spawnSync('promtool', ['--version']).error === undefined;

test.runIf(promtool)('promtool accepts the rules, and every alert fires as its unit test says', () => {
  const run = (...args: string[]) =>
    spawnSync('promtool', args, { cwd: path.join(root, 'ops/prometheus'), encoding: 'utf8' });
  const config = run('check', 'config', 'prometheus.yml');
  for (const result of [config, run('check', 'rules', 'alerts.yml'), run('test', 'rules', 'alerts.test.yml')]) {
    expect(`${result.stdout}${result.stderr}`).toContain('SUCCESS');
    expect(result.status).toBe(0);
  }
});

// Debian's package `prometheus-alertmanager` has it.
const amtool = spawnSync('amtool', ['--version']).error === undefined;

test.runIf(amtool)('amtool accepts the example of Alertmanager', () => {
  const file = path.join(root, 'ops/prometheus/alertmanager.yml');
  const { status, stdout, stderr } = spawnSync('amtool', ['check-config', file], { encoding: 'utf8' });
  expect(`${status} ${stdout}${stderr}`).toMatch(/^0 /);
});

test.runIf(promtool)('promtool accepts the queries of every panel', () => {
  const queries = Object.values(catalogue).flatMap((metrics) => metrics.flatMap(queriesOf));
  const rules = queries.map(({ expr }, index) => ({ record: `panel_${index}`, expr }));
  const folder = mkdtempSync(path.join(tmpdir(), 'panels-'));
  const file = path.join(folder, 'panels.yml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', '--lint=none', file], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(`${status} ${stdout}${stderr}`).toMatch(/^0 /);
});

test('docs/operate/runbook: every page belongs to an alert', () => {
  const folder = path.join(root, 'docs/operate/runbook');
  const names = readdirSync(folder).filter((file) => file !== 'README.md');
  expect(names.every((file) => alertTable.some(({ name }) => file === `${name}.md`))).toBe(true);
  expect(existsSync(path.join(folder, 'README.md'))).toBe(true);
});
