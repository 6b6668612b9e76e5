import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { type Check, checks, type Finding } from '../doctor/checks.ts';

interface Outcome extends Finding {
  readonly name: string;
  readonly fix: string | null;
}

/** Runs every check; one that stands on a failed one is left out. */
export async function doctor(context: Context): Promise<Answer> {
  const outcomes: Outcome[] = [];
  const failed = new Set<string>();
  for (const check of checks) {
    if (check.after.some((name) => failed.has(name))) continue;
    const finding = await check.look(context);
    if (!finding.ok) failed.add(check.name);
    outcomes.push(outcomeOf(check, finding));
  }
  const lines = outcomes.map(({ name, ok, detail, fix }) => {
    return `${ok ? '✔' : '✖'} ${name.padEnd(12)} ${detail}${fix === null ? '' : `\n    ${fix}`}`;
  });
  const count = failed.size;
  const summary = count === 0 ? 'nothing is wrong' : `${count} of ${outcomes.length} checks failed`;
  return {
    value: { checks: outcomes, failed: count },
    text: [...lines, summary].join('\n'),
    isFailedCheck: count > 0,
  };
}

const outcomeOf = ({ name, fix }: Check, { ok, detail }: Finding): Outcome => ({
  name,
  ok,
  detail,
  fix: ok ? null : fix,
});
