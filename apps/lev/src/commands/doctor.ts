import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { type Check, checks } from '../doctor/checks.ts';
import type { Finding } from '../doctor/finding.ts';

interface Outcome extends Omit<Finding, 'fix'> {
  readonly name: string;
  readonly fix: string | null;
}

/** Run all checks, skipping those that depend on a failed one. */
export async function doctor(context: Context): Promise<Answer> {
  const outcomes: Outcome[] = [];
  const failed = new Set<string>();
  for (const check of checks) {
    if (check.after.some((name) => failed.has(name))) continue;
    const finding = await check.run(context);
    if (!finding.ok) failed.add(check.name);
    outcomes.push(outcomeOf(check, finding));
  }
  const lines = outcomes.map(({ name, ok, detail, fix }) => {
    return `${ok ? '✔' : '✖'} ${name.padEnd(12)} ${detail}${fix === null ? '' : `\n    ${fix}`}`;
  });
  const count = failed.size;
  const summary = count === 0 ? 'all checks passed' : `${count} of ${outcomes.length} checks failed`;
  return {
    value: { checks: outcomes, failed: count },
    text: [...lines, summary].join('\n'),
    isFailedCheck: count > 0,
  };
}

const outcomeOf = (check: Check, { ok, detail, fix }: Finding): Outcome => ({
  name: check.name,
  ok,
  detail,
  fix: ok ? null : (fix ?? check.fix),
});
