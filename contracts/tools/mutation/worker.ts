import { vaultLibraryNames } from '../../local/vaultLibraries.ts';
import { compileVault, isWellFormed, type VaultCode, withSwitchOn } from './compileVault.ts';
import type { Mutant } from './mutantsOf.ts';
import type { Outcome } from './report.ts';
import type { TestRun } from './runTests.ts';
import { survivesBehindSwitch } from './sample.ts';
import { type Switched, switchedSource } from './switches.ts';
import { Workspace } from './workspace.ts';

// Judges what it is sent, one thing at a time, in the folder it is given: a mutant alone, or a batch of one source
// behind switches. A process of its own, because compiling blocks it; one that lasts, because loading the compiler
// takes seconds.

/** Request to a worker. */
export type Asked =
  | { readonly kind: 'one'; readonly mutant: Mutant }
  | { readonly kind: 'batch'; readonly file: string; readonly batch: readonly Switched[] };
/** Answer of a worker: an outcome for each mutant, by its index in the request, and then that it is idle. */
export type Answered = { readonly index: number; readonly outcome: Outcome } | { readonly isIdle: true };

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('the worker needs a folder');
const workspace = new Workspace(folder);
const original = workspace.readCode();
process.on('message', (asked: Asked) => {
  void judge(asked).then(() => answer({ isIdle: true }));
});
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

function answer(answered: Answered): void {
  process.send?.(answered);
}

async function judge(asked: Asked): Promise<void> {
  if (asked.kind === 'one') answer({ index: 0, outcome: await outcomeOf(asked.mutant) });
  else {
    await judgeBatch(
      asked.file,
      asked.batch.map((switched, index) => ({ index, switched })),
    );
  }
}

/** Compiles and tests one mutant, and puts the file and the code back. */
async function outcomeOf(mutant: Mutant): Promise<Outcome> {
  workspace.write(mutant.file, mutant.source);
  try {
    const code = compileVault(workspace.root, { path: `src/${mutant.file}`, lines: [mutant.line], original });
    if (code === undefined) return { status: 'does not compile' };
    if (isSame(code, original)) return { status: 'same code' };
    workspace.writeCode(code);
    return outcomeOfRun(await workspace.test(mutant.file), { status: 'survived' });
  } finally {
    workspace.restore(mutant.file);
    workspace.writeCode(original);
  }
}

/** A mutant of a batch, by its place in what was asked. */
interface Placed {
  readonly index: number;
  readonly switched: Switched;
}

/**
 * Compiles a batch once and tests its mutants one after the other. What no quick test kills is left to be judged alone.
 * So is what cannot stand behind a switch; and all of a batch that does not compile for another reason, or whose tests
 * fail with no switch on, but then its halves are tried first.
 */
async function judgeBatch(file: string, batch: readonly Placed[]): Promise<void> {
  const why = await whyUnfit(file, batch);
  if (why === undefined) return;
  const fit = why === doesNotCompile ? batch.filter(({ switched }) => standsAlone(file, switched)) : batch;
  for (const { index } of batch.filter((one) => !fit.includes(one) || batch.length === 1)) {
    answer({ index, outcome: { status: 'not judged', by: why } });
  }
  if (batch.length === 1) return;
  if (fit.length < batch.length) return judgeBatch(file, fit);
  const half = Math.ceil(batch.length / 2);
  await judgeBatch(file, batch.slice(0, half));
  await judgeBatch(file, batch.slice(half));
}

const doesNotCompile = 'does not compile with switches';

/** Return whether a mutant can be put behind a switch when no other is. */
function standsAlone(file: string, switched: Switched): boolean {
  workspace.write(file, switchedSource(file, workspace.readSource(file), [switched]));
  try {
    return isWellFormed(workspace.root, `src/${file}`);
  } finally {
    workspace.restore(file);
  }
}

/** Judges a batch and returns undefined, or why it cannot be judged. */
async function whyUnfit(file: string, batch: readonly Placed[]): Promise<string | undefined> {
  if (batch.length === 0) return undefined;
  const all = batch.map(({ switched }) => switched);
  const lines = all.map(({ mutant }) => mutant.line);
  workspace.write(file, switchedSource(file, workspace.readSource(file), all));
  try {
    const code = compileVault(workspace.root, { path: `src/${file}`, lines, original });
    if (code === undefined) return doesNotCompile;
    workspace.writeCode(withSwitchOn(code, 0));
    const run = await workspace.testQuickly();
    if (run.kind !== 'passed') return `its tests fail with no switch on: ${JSON.stringify(run)}`;
    for (const [place, { index }] of batch.entries()) {
      workspace.writeCode(withSwitchOn(code, place + 1));
      const survived = { status: 'not judged', by: survivesBehindSwitch } as const;
      answer({ index, outcome: outcomeOfRun(await workspace.testQuickly(), survived) });
    }
    return undefined;
  } finally {
    workspace.restore(file);
    workspace.writeCode(original);
  }
}

function outcomeOfRun(run: TestRun, survived: Outcome): Outcome {
  switch (run.kind) {
    case 'passed':
      return survived;
    case 'failed':
      return { status: 'killed', by: run.by };
    case 'timeout':
      return { status: 'killed', by: 'waiting too long' };
    case 'broken':
      return { status: 'not judged', by: run.why };
  }
}

function isSame(a: VaultCode, b: VaultCode): boolean {
  return a.vault === b.vault && vaultLibraryNames.every((name) => a.libraries[name] === b.libraries[name]);
}
