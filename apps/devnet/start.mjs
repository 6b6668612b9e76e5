/**
 * Beginning of `start`, in words that every Node reads: what this machine lacks is one line with the fix, before a file
 * is opened that an older Node cannot read.
 */
import { existsSync } from 'node:fs';

const neededNodeMajor = 24;
const command = 'npx -y pnpm@12 start';
const [major] = process.versions.node.split('.').map(Number);
const [, manager, managerMajor] = /^(\w+)\/(\d+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];

function fault() {
  if (!existsSync(new URL('./node_modules', import.meta.url))) {
    if (manager === 'pnpm' && Number(managerMajor) < 12) {
      return `pnpm ${managerMajor} cannot install this workspace: start with \`${command}\`.`;
    }
    return `Nothing is installed yet: start with \`${command}\`, which installs first.`;
  }
  if (major < neededNodeMajor) {
    return `Node ${process.versions.node} is too old: start with \`${command}\`, which brings Node ${neededNodeMajor}.`;
  }
  return null;
}

const line = fault();
if (line === null) await import('./src/main.ts');
else {
  process.stderr.write(`  ✖ ${line}\n`);
  process.exitCode = 1;
}
