import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** A run of generated requests in which no answer was wrong. */
export interface GeneratedRun {
  /** Neighbours of the service; the page has one line for each. */
  readonly on: string;
  readonly seed: number;
  readonly operationCount: number;
  readonly answersByStatus: ReadonlyMap<number, number>;
}

const page = new URL('../../../docs/generated-requests.md', import.meta.url);
const intro = `# Generated requests

Written by \`npx -y pnpm@12 --filter @core/api test:generated\`; do not edit. Requests made from the served OpenAPI
document, most of them valid and the others nearly, go to every operation of the service as fast as it answers; each is
charged to the buckets of its caller, which have room for all. A run is written down when no answer was a 5xx, every
answer fitted the schema of its status, nothing was logged as an error, and each operation was answered well and
refused. \`TEST_DATABASE_URL\` and \`TEST_REDIS_URL\` choose what it runs on.

| on | date | requests | operations | seed | answers by status |
|---|---|---|---|---|---|
`;

/** Write a run into docs/generated-requests.md, in the place of the last one on the same. */
export function recordGeneratedRun(run: GeneratedRun, date: Date): void {
  const { on, seed, operationCount, answersByStatus } = run;
  const counts = [...answersByStatus].toSorted(([a], [b]) => a - b);
  const answers = counts.map(([status, count]) => `${status}: ${count.toLocaleString('en')}`).join(', ');
  const total = counts.reduce((sum, [, count]) => sum + count, 0).toLocaleString('en');
  const line = `| ${[on, date.toISOString().slice(0, 10), total, operationCount, seed, answers].join(' | ')} |`;
  const before = existsSync(page) ? readFileSync(page, 'utf8').split('\n') : [];
  const otherRuns = before.filter((each) => /^\| .+ \| \d{4}-/.test(each) && !each.startsWith(`| ${on} |`));
  writeFileSync(page, `${intro}${[...otherRuns, line].toSorted().join('\n')}\n`);
}
