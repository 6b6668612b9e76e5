import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { isGenerated, isTest, type Offence, repositoryRoot } from './workspace.ts';

/** Maximum number of type assertions outside tests. It goes down with the code, never up. */
const maxAssertions = 29;

const config = join(import.meta.dirname, 'assertions.json');

const reportSchema = z.looseObject({
  diagnostics: z.array(
    z.looseObject({
      filename: z.string(),
      labels: z.array(z.looseObject({ span: z.looseObject({ line: z.number() }) })),
    }),
  ),
});

/**
 * Return all type assertions of hand-written code when there are more than the maximum: each could be a parse or a
 * better type. `as const` asserts nothing, and tests may have any number.
 *
 * @throws Error when oxlint fails.
 */
export function tooManyAssertions(root: string = repositoryRoot, maximum: number = maxAssertions): Offence[] {
  const places = assertionsIn(root);
  if (places.length <= maximum) return [];
  const what = `a type assertion: there are ${places.length}, the limit is ${maximum}`;
  return places.map((where) => ({ where, what }));
}

function assertionsIn(root: string): readonly string[] {
  const ended = spawnSync(
    join(repositoryRoot, 'node_modules/.bin/oxlint'),
    ['--config', config, '--format', 'json', '.'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  // Findings end it with 1 as well.
  if (ended.status !== 0 && ended.status !== 1) throw new Error(`oxlint failed: ${ended.stderr}${ended.stdout}`);
  return reportSchema
    .parse(JSON.parse(ended.stdout))
    .diagnostics.filter(({ filename }) => !isTest(filename) && !isGenerated(filename))
    .map(({ filename, labels }) => `${filename}:${labels[0]?.span.line ?? 1}`)
    .toSorted();
}
