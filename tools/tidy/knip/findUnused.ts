import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isGenerated, isTest, type Offence, packageOf, repositoryRoot } from '../workspace.ts';

const issueTypes = 'files,exports,types,duplicates,dependencies,unlisted,unresolved,catalog';

const namedSchema = z.looseObject({ name: z.string(), line: z.number().optional() });
const namedList = z.array(namedSchema).optional();

/** One file of knip's JSON report. */
const fileIssuesSchema = z.looseObject({
  file: z.string(),
  files: namedList,
  exports: namedList,
  types: namedList,
  duplicates: z.array(z.array(namedSchema)).optional(),
  dependencies: namedList,
  devDependencies: namedList,
  unlisted: namedList,
  unresolved: namedList,
  catalog: namedList,
});
const reportSchema = z.looseObject({ issues: z.array(fileIssuesSchema) });

type Named = z.output<typeof namedSchema>;
type FileIssues = z.output<typeof fileIssuesSchema>;

interface UnusedRequest {
  /** Root of the workspace. */
  readonly root: string;
  /** Names that programs outside the workspace use, by package. A package listed here is a public library. */
  readonly publicSurface: Readonly<Record<string, readonly string[]>>;
}

interface Unused {
  readonly exports: readonly Offence[];
  readonly testOnly: readonly Offence[];
  readonly dependencies: readonly Offence[];
}

/**
 * Return unused exports, files and dependencies. Knip runs twice: with the tests for exports without an importer, and
 * without them for code that only tests run.
 *
 * @throws Error when knip fails.
 */
export function findUnused({ root, publicSurface }: UnusedRequest): Unused {
  const everything = runKnip(root, []);
  const product = runKnip(root, ['--production']);
  const isPublic = (file: string, name: string): boolean => publicSurface[packageOf(file)]?.includes(name) ?? false;
  const exports = everything.flatMap((issues) => unusedExportsOf(issues, publicSurface));
  const reported = new Set(exports.map((offence) => offence.where));
  return {
    exports: [
      ...exports.filter((offence) => !isPublic(offence.file, offence.name)).map(toOffence),
      ...Object.entries(publicSurface).flatMap(([pkg, names]) => missingNames(root, { pkg, names })),
    ],
    testOnly: product
      .filter(({ file }) => mustRun(file))
      .flatMap(testOnlyOf)
      .filter((offence) => !reported.has(offence.where) && !isPublic(offence.file, offence.name))
      .map(toOffence),
    dependencies: everything.flatMap(dependenciesOf),
  };
}

interface PublicPackage {
  readonly pkg: string;
  readonly names: readonly string[];
}

/** Return the names of a public surface that the package does not export. */
function missingNames(root: string, { pkg, names }: PublicPackage): Offence[] {
  const index = `${pkg}/src/index.ts`;
  const text = existsSync(join(root, index)) ? readFileSync(join(root, index), 'utf8') : '';
  return names
    .filter((name) => !new RegExp(String.raw`\b${name}\b`).test(text))
    .map((name) => ({ where: index, what: `does not export ${name}, which the public surface lists` }));
}

interface NamedOffence extends Offence {
  readonly file: string;
  readonly name: string;
}

const toOffence = ({ where, what }: NamedOffence): Offence => ({ where, what });

function runKnip(root: string, flags: readonly string[]): readonly FileIssues[] {
  const ended = spawnSync(
    join(repositoryRoot, 'tools/node_modules/.bin/knip'),
    [
      '--directory',
      root,
      '--config',
      join(import.meta.dirname, 'config.ts'),
      '--include',
      issueTypes,
      '--reporter',
      'json',
      '--no-progress',
      '--no-exit-code',
      '--no-config-hints',
      ...flags,
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (ended.status !== 0) throw new Error(`knip did not answer: ${ended.stderr}${ended.stdout}`);
  return reportSchema.parse(JSON.parse(ended.stdout)).issues;
}

const at = (file: string, { line }: Named): string => (line === undefined ? file : `${file}:${line}`);

/** Types that the index of a public library exports are needed to write signatures outside. */
function unusedExportsOf(issues: FileIssues, publicPackages: UnusedRequest['publicSurface']): NamedOffence[] {
  const { file } = issues;
  if (isGenerated(file)) return [];
  const typesAreFree = packageOf(file) in publicPackages && file.endsWith('/src/index.ts');
  return [
    ...(issues.files ?? []).map(({ name }) => ({ where: file, what: 'no program, test or file uses it', file, name })),
    ...[...(issues.exports ?? []), ...(typesAreFree ? [] : (issues.types ?? []))].map((found) => ({
      where: at(file, found),
      what: `exports ${found.name}, which nothing imports`,
      file,
      name: found.name,
    })),
    ...(issues.duplicates ?? []).map((names) => ({
      where: at(file, names[0] ?? { name: '' }),
      what: `exports one thing under several names: ${names.map(({ name }) => name).join(', ')}`,
      file,
      name: '',
    })),
  ];
}

/** Return true for packages whose exports the product must run. The others are development tools. */
const mustRun = (file: string): boolean =>
  /^(?:packages|apps)\//.test(file) &&
  !file.startsWith('packages/testkit/') &&
  !isTest(file) &&
  !isGenerated(file) &&
  // A re-export is judged where it is declared.
  !file.endsWith('/index.ts');

function testOnlyOf({ file, files, exports, types }: FileIssues): NamedOffence[] {
  return [
    ...(files ?? []).map(({ name }) => ({ where: file, what: 'only tests use this file', file, name })),
    ...[...(exports ?? []), ...(types ?? [])].map((found) => ({
      where: at(file, found),
      what: `exports ${found.name}, which only tests use`,
      file,
      name: found.name,
    })),
  ];
}

function dependenciesOf({ file, ...issues }: FileIssues): Offence[] {
  const say = (found: readonly Named[] | undefined, what: (name: string) => string): Offence[] =>
    (found ?? []).map((one) => ({ where: at(file, one), what: what(one.name) }));
  return [
    ...say(issues.dependencies, (name) => `depends on ${name}, which nothing imports`),
    ...say(issues.devDependencies, (name) => `depends on ${name} for development, which nothing imports`),
    ...say(issues.catalog, (name) => `the catalog names ${name}, which no package uses`),
    ...say(issues.unlisted, (name) => `imports ${name}, which its package.json does not name`),
    ...say(issues.unresolved, (name) => `imports ${name}, which is not there`),
  ];
}
