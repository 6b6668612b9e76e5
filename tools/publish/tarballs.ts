/**
 * Packs every published package into a folder, which it creates: `tarballs` of the repository, or the argument.
 *
 *     npx -y pnpm@12 tarballs
 */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../tidy/workspace.ts';
import { publishedPackages } from './published.ts';

const execute = promisify(execFile);

/** Return the pnpm that runs this program, or else the one that npx fetches. */
function packer(): readonly [string, ...string[]] {
  const program = process.env['npm_execpath'] ?? '';
  if (/pnpm[^/]*\.[cm]?js$/.test(program)) return [process.execPath, program];
  return program.endsWith('pnpm') ? [program] : ['npx', '-y', 'pnpm@12'];
}

// Absolute: pnpm resolves another path from the folder that a package builds into.
const destination = resolve(process.argv[2] ?? join(repositoryRoot, 'tarballs'));
mkdirSync(destination, { recursive: true });
const [command, ...first] = packer();
for (const { folder, manifest } of publishedPackages()) {
  await execute(command, [...first, 'pack', '--pack-destination', destination], { cwd: folder });
  process.stdout.write(`packed ${manifest.name}\n`);
}
