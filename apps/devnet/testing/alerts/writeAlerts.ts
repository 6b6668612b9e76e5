import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { alertRules, alertTests } from './alertFiles.ts';
import { dashboardText, metricCatalogue } from './dashboardFiles.ts';

const ops = fileURLToPath(new URL('../../../../ops/', import.meta.url));
writeFileSync(`${ops}prometheus/alerts.yml`, alertRules());
writeFileSync(`${ops}prometheus/alerts.test.yml`, alertTests());
for (const [program, metrics] of Object.entries(metricCatalogue())) {
  writeFileSync(`${ops}grafana/${program}.json`, dashboardText(program, metrics));
}
