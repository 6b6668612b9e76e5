import { compileVault, type VaultCode } from './compileVault.ts';
import type { Mutant } from './mutantsOf.ts';
import type { Verdict } from './report.ts';
import { Workspace } from './workspace.ts';

// Judges the mutants it is sent, one at a time, in the folder it is given. A process of its own, because compiling
// blocks it; one that lasts, because loading the compiler takes seconds.

const workspace = new Workspace(process.argv[2] as string);
const original = workspace.readCode();
process.on('message', (mutant: Mutant) => {
  void fateOf(mutant).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

/** Compiles and tests one mutant, and puts the file and the code back. */
async function fateOf(mutant: Mutant): Promise<Pick<Verdict, 'fate' | 'by'>> {
  workspace.write(mutant.file, mutant.source);
  try {
    const code = compileVault(workspace.root, { path: `src/${mutant.file}`, original });
    if (code === undefined) return { fate: 'does not compile' };
    if (isSame(code, original)) return { fate: 'same code' };
    workspace.writeCode(code);
    const run = await workspace.test(mutant.file);
    switch (run.kind) {
      case 'passed':
        return { fate: 'survived' };
      case 'failed':
        return { fate: 'killed', by: run.by };
      case 'timeout':
        return { fate: 'killed', by: 'waiting too long' };
      case 'broken':
        return { fate: 'not judged', by: run.why };
    }
  } finally {
    workspace.restore(mutant.file);
    workspace.writeCode(original);
  }
}

function isSame(a: VaultCode, b: VaultCode): boolean {
  return a.vault === b.vault && a.rules === b.rules;
}
