import { vaultLibraryNames } from '../../local/vaultLibraries.ts';
import { compileVault, type VaultCode } from './compileVault.ts';
import type { Mutant } from './mutantsOf.ts';
import type { MutantResult } from './report.ts';
import { Workspace } from './workspace.ts';

// Judges the mutants it is sent, one at a time, in the folder it is given. A process of its own, because compiling
// blocks it; one that lasts, because loading the compiler takes seconds.

const workspace = new Workspace(process.argv[2] as string);
const original = workspace.readCode();
process.on('message', (mutant: Mutant) => {
  void statusOf(mutant).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

/** Compiles and tests one mutant, and puts the file and the code back. */
async function statusOf(mutant: Mutant): Promise<Pick<MutantResult, 'status' | 'by'>> {
  workspace.write(mutant.file, mutant.source);
  try {
    const code = compileVault(workspace.root, { path: `src/${mutant.file}`, line: mutant.line, original });
    if (code === undefined) return { status: 'does not compile' };
    if (isSame(code, original)) return { status: 'same code' };
    workspace.writeCode(code);
    const run = await workspace.test(mutant.file);
    switch (run.kind) {
      case 'passed':
        return { status: 'survived' };
      case 'failed':
        return { status: 'killed', by: run.by };
      case 'timeout':
        return { status: 'killed', by: 'waiting too long' };
      case 'broken':
        return { status: 'not judged', by: run.why };
    }
  } finally {
    workspace.restore(mutant.file);
    workspace.writeCode(original);
  }
}

function isSame(a: VaultCode, b: VaultCode): boolean {
  return a.vault === b.vault && vaultLibraryNames.every((name) => a.libraries[name] === b.libraries[name]);
}
