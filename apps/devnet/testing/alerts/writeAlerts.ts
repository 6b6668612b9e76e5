import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { alertRules, alertTests } from './alertFiles.ts';
import { dashboardText, metricCatalogue } from './dashboardFiles.ts';

const folder = fileURLToPath(new URL('../../../../ops/prometheus/', import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}alerts.yml`, alertRules());
writeFileSync(`${folder}alerts.test.yml`, alertTests());

const dashboards = fileURLToPath(new URL('../../../../ops/grafana/', import.meta.url));
mkdirSync(dashboards, { recursive: true });
for (const [program, metrics] of Object.entries(metricCatalogue())) {
  writeFileSync(`${dashboards}${program}.json`, dashboardText(program, metrics));
}
