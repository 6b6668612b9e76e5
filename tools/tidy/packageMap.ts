import { z } from 'zod';
import { isTest, isTypeScript, type Offence, packageOf, type SourceFile } from './workspace.ts';

const manifestSchema = z.looseObject({ name: z.string() });

interface ListedPackage {
  readonly folder: string;
  readonly packageName: string;
}

/** Return the packages of ARCHITECTURE.md, in the order in which they may import each other. */
export function packagesOnTheMap(architecture: string): ListedPackage[] {
  return [...architecture.matchAll(/^\| \[?`([a-z-]+(?:\/[a-z-]+)?)`(?:\]\([^)]*\))? \| `(@core\/[a-z-]+)` \|/gm)].map(
    (row) => ({
      folder: row[1] ?? '',
      packageName: row[2] ?? '',
    }),
  );
}

function textOf(files: readonly SourceFile[], path: string): string {
  return files.find((file) => file.path === path)?.text ?? '';
}

/** Packages that the table lacks, and rows of the table without a package. */
export function mapIsComplete(files: readonly SourceFile[]): Offence[] {
  const packages = packagesOnTheMap(textOf(files, 'ARCHITECTURE.md'));
  const manifests = files.filter((file) => file.path.endsWith('/package.json') && packageOf(file.path) !== '');
  const missing = manifests
    .filter((file) => {
      const { name } = manifestSchema.parse(JSON.parse(file.text));
      return !packages.some((pkg) => `${pkg.folder}/package.json` === file.path && pkg.packageName === name);
    })
    .map((file) => ({ where: file.path, what: 'package is missing from the package table in ARCHITECTURE.md' }));
  const removed = packages
    .filter((pkg) => !manifests.some((file) => file.path === `${pkg.folder}/package.json`))
    .map((pkg) => ({ where: 'ARCHITECTURE.md', what: `the map names ${pkg.folder}, which does not exist` }));
  return [...missing, ...removed];
}

/** Packages that share the one above both and never import each other, tests included. */
const strangers: Readonly<Record<string, string>> = {
  'packages/venue': '@core/policy',
  'packages/policy': '@core/venue',
};

/** Imports between two packages that may only share a third. */
export function strangersStayApart(files: readonly SourceFile[]): Offence[] {
  return files.flatMap((file) => {
    const stranger = strangers[packageOf(file.path)];
    return stranger !== undefined && isTypeScript(file.path) && file.text.includes(`'${stranger}`)
      ? [{ where: file.path, what: `imports ${stranger}; both sides share @core/market` }]
      : [];
  });
}

/** Packages with fewer imports than their position on the map allows. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  'packages/errors': [],
  'packages/pricing': [],
  'packages/vault': ['@core/pricing'],
};

/** Imports of product code from packages that are not above its own. Tests may span packages. */
export function importsFollowTheMap(files: readonly SourceFile[]): Offence[] {
  const order = packagesOnTheMap(textOf(files, 'ARCHITECTURE.md')).map((pkg) => pkg.packageName);
  const folders = packagesOnTheMap(textOf(files, 'ARCHITECTURE.md')).map((pkg) => pkg.folder);
  return files
    .filter((file) => isTypeScript(file.path) && !isTest(file.path))
    .flatMap((file) => {
      const own = folders.indexOf(packageOf(file.path));
      const importable = allowedImports[packageOf(file.path)];
      return [...file.text.matchAll(/(?:from|import)\s*\(?'(@core\/[a-z-]+)/g)].flatMap((found) => {
        const name = found[1] ?? '';
        if (own < 0) return [];
        if (order.indexOf(name) >= own) return [{ where: file.path, what: `imports ${name}, which is not above it` }];
        return importable === undefined || importable.includes(name)
          ? []
          : [{ where: file.path, what: `imports ${name}, which this package does without` }];
      });
    });
}
