import { type RunStamp, stampLineOf } from '../project/runStamp.ts';
import { explanationOf } from './explained.ts';
import { isSameRun, minScorePercent, type Report, runsOf } from './report.ts';
import { intensity } from './workspace.ts';

/** The summary of a run for readers; nothing is claimed of mutants that were not run. */
export function mutationPage(report: Report, stamp: RunStamp): string {
  const code = (text: string) => `\`${(text === '' ? '(left out)' : text).replaceAll('|', '\\|')}\``;
  const rows = report.survivors.map(
    (one) =>
      `| ${one.file} | ${one.operator} | ${code(one.before)} | ${code(one.after)} | ${explanationOf(one) ?? 'open'} |`,
  );
  const runRows = runsOf(report.results).map((run) => {
    const count = report.results.filter(({ judgedOn }) => isSameRun(judgedOn, run)).length;
    return `| ${run.date} | \`${run.codeDigest}\` | \`${run.testsDigest}\` | ${count} |`;
  });
  const { fuzzRuns, campaignRuns, campaignDepth } = intensity;
  const { seed, mutantsInAll, judged, killed, survived, explained, sameCode, doesNotCompile } = report;
  const left = mutantsInAll - judged - sameCode - doesNotCompile;
  return [
    '# Mutation',
    '',
    'Written by `pnpm --filter @core/contracts mutate`; do not edit. It judges mutants in an order that the seed gives, by',
    'running the Solidity tests on each. Most are compiled many at a time with the shipped settings, each behind a switch',
    'that the linker turns; what no test kills there is compiled alone. What compiles to the same bytes or not at all is no',
    'mutant. The score is killed of judged; beside it is the score without the survivors that no test can kill, each with',
    'its reason below. [mutation.json](mutation.json) has what each met; `AGAIN=1` resumes from it, otherwise all are judged.',
    '',
    stampLineOf(stamp),
    '',
    `On a mutant the tests search with ${fuzzRuns} fuzz runs and a campaign of ${campaignRuns} by ${campaignDepth}, a small part of what the profile \`deep\``,
    `does: whatever fewer runs kill, more runs kill as well, so the score can only be too low. Under ${minScorePercent} % a run fails.`,
    '',
    '| seed | mutants in all | not judged | judged | killed | survived | explained | same code | not compiling | score | without explained |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    `| ${seed} | ${mutantsInAll} | ${left} | ${judged} | ${killed} | ${survived} | ${explained} | ${sameCode} | ${doesNotCompile} | ${report.scorePercent} % | ${report.scoreWithoutExplainedPercent} % |`,
    '',
    '## What was judged when',
    '',
    'A result is kept while the function that its mutant changes stays the same. Survivors are judged again when their source',
    'or one that it imports has changed, or when nothing below says why no test can kill them. Digests as in [figures](figures.md#long-runs).',
    '',
    '| on | contracts | Solidity tests | results |',
    '|---|---|---|---|',
    ...runRows,
    '',
    '## Survivors',
    '',
    '| file | operator | before | after | why |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
