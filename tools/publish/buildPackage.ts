import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { repositoryRoot } from '../tidy/workspace.ts';
import { writeContractFiles } from './contractFiles.ts';
import { packagesIn, publishedMap, publishedText } from './emitted.ts';
import { type PublishedPackage, publishedPackages } from './published.ts';
import { publishedManifest } from './publishedManifest.ts';

/**
 * Build a package into its `dist`: JavaScript, declarations and source maps of all that its entry reaches, under the
 * public names, with a manifest of its own. `pnpm pack` runs it and packs that folder.
 */
export async function buildPackage(pkg: PublishedPackage): Promise<void> {
  const target = join(pkg.folder, 'dist');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const imported = emit(pkg, target);
  const folders = await writeContractFiles(target);
  copyFileSync(join(pkg.folder, 'README.md'), join(target, 'README.md'));
  copyFileSync(join(repositoryRoot, 'LICENSE'), join(target, 'LICENSE'));
  const manifest = publishedManifest(pkg, imported, folders);
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Compile and copy the package. Other packages are compiled along and left out. */
function emit(pkg: PublishedPackage, target: string): readonly string[] {
  const build = mkdtempSync(join(tmpdir(), 'package-build-'));
  try {
    compile(pkg, build);
    const emitted = join(build, relative(repositoryRoot, pkg.folder), 'src');
    const files = readdirSync(emitted, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
    return files.flatMap((path) => {
      const text = readFileSync(join(emitted, path), 'utf8');
      mkdirSync(dirname(join(target, path)), { recursive: true });
      const isCode = /\.(js|d\.ts)$/.test(path);
      const isMap = path.endsWith('.map');
      const source = join(relative(dirname(join(target, path)), join(pkg.folder, 'src')), path).replace(
        '.js.map',
        '.ts',
      );
      writeFileSync(join(target, path), isMap ? publishedMap(text, source) : isCode ? publishedText(text) : text);
      return isCode ? packagesIn(text) : [];
    });
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
}

function compile(pkg: PublishedPackage, outDir: string): void {
  const config = join(outDir, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    target: 'es2022',
    rootDir: repositoryRoot,
    outDir,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    typeRoots: [join(repositoryRoot, 'node_modules/@types')],
  };
  const extended = join(pkg.folder, 'tsconfig.json');
  const files = [join(pkg.folder, 'src/index.ts')];
  writeFileSync(config, JSON.stringify({ extends: extended, compilerOptions, files, include: [] }));
  execFileSync(join(repositoryRoot, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' });
}

/** Builds the package of the current folder, or those named: `node buildPackage.ts pricing wire`. */
async function main(names: readonly string[]): Promise<void> {
  const all = publishedPackages();
  const chosen = names.length === 0 ? all.filter(({ folder }) => folder === process.cwd()) : all;
  const packages = names.length === 0 ? chosen : chosen.filter(({ shortName }) => names.includes(shortName));
  if (packages.length === 0) throw new Error('start it in a package that is published, or name some');
  for (const pkg of packages) await buildPackage(pkg);
}

if (import.meta.main) await main(process.argv.slice(2));
