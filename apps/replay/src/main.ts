import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argumentsOf, type ReplayArguments } from './arguments.ts';
import type { LifeRecord } from './measure/lifeRecord.ts';
import { type Result, resultsOf } from './measure/results.ts';
import { cryptoPlanOf, sportPlanOf, timingName } from './plan.ts';
import { readRecording } from './recording/readRecording.ts';
import type { Recording } from './recording/recordedMarket.ts';
import { type Report, reportOf, type Section } from './report/report.ts';
import { replay } from './scenario.ts';

const startedAtMs = performance.now();

function say(text: string): void {
  process.stderr.write(text);
}

interface Files {
  readonly quotesCsv: string;
  readonly marketsCsv: string;
}

/** Replay one recording as its plan says. Progress goes to standard error. */
function sectionOf({ quotesCsv, marketsCsv }: Files, choice: ReplayArguments): Section {
  const recording: Recording = readRecording(marketsCsv, quotesCsv);
  const isCrypto = recording.markets[0]?.subject.kind === 'crypto';
  const plan = isCrypto ? cryptoPlanOf(choice) : sportPlanOf(choice);
  const results: Result[] = [];
  let mainLives: readonly LifeRecord[] = [];
  const late = plan.lateStart;
  const scenarios = late === null ? plan.scenarios : [...plan.scenarios, late];
  scenarios.forEach((scenario, index) => {
    const { markets } = scenario === late ? readRecording(marketsCsv, quotesCsv, 'late') : recording;
    const { name, route, exitSeconds, phases } = scenario;
    const total = markets.length;
    let marketCount = 0;
    const { candidates, lives } = replay(markets, scenario, () => {
      marketCount += 1;
      if (marketCount % 20 === 0 || marketCount === total) {
        const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
        const place = `${isCrypto ? 'crypto' : 'sport'} ${index + 1}/${scenarios.length} ${name}`;
        say(`\r${place}: ${marketCount} of ${total} markets, ${seconds} s   `);
      }
    });
    const timings = scenario.timings.map(timingName);
    for (const phase of phases) {
      results.push(...resultsOf({ scenario: name, route, exitSeconds, phase, timings, candidates, lives }));
    }
    if (name === plan.main.name) mainLives = lives[timings.indexOf(timingName(plan.main.timing))] ?? [];
    say('\n');
  });
  const main = { scenario: plan.main.name, timing: timingName(plan.main.timing) };
  return { recording, results, main, mainLives, floors: plan.floors };
}

function write({ markdown, plots }: Report, out: string): void {
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, markdown);
  for (const [file, svg] of plots) writeFileSync(join(dirname(out), file), svg);
}

function main(): void {
  const args = process.argv.slice(2);
  const choice = argumentsOf(args);
  const sections = choice.recordings.map(({ quotes, markets }) =>
    sectionOf({ quotesCsv: readFileSync(quotes, 'utf8'), marketsCsv: readFileSync(markets, 'utf8') }, choice),
  );
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  const report = reportOf(sections, { command: `pnpm replay ${args.join(' ')}`, seconds });
  write(report, choice.out);
  say(`${choice.out} and ${report.plots.size} plots written after ${seconds} s\n`);
  for (const { what, asked, measured } of report.missed) say(`missed: ${what} ${measured}, required ${asked}\n`);
  if (report.missed.length > 0) process.exitCode = 1;
}

try {
  main();
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
