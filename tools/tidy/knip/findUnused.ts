import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGenerated, isTest, type Offence, repositoryRoot, roomOf } from '../workspace.ts';

const issueTypes = 'files,exports,types,duplicates,dependencies,unlisted,unresolved,catalog';

interface Named {
  readonly name: string;
  readonly line?: number;
}

/** One file of knip's JSON report. */
interface FileIssues {
  readonly file: string;
  readonly files?: readonly Named[];
  readonly exports?: readonly Named[];
  readonly types?: readonly Named[];
  readonly duplicates?: readonly (readonly Named[])[];
  readonly dependencies?: readonly Named[];
  readonly devDependencies?: readonly Named[];
  readonly unlisted?: readonly Named[];
  readonly unresolved?: readonly Named[];
  readonly catalog?: readonly Named[];
}

interface UnusedRequest {
  /** Root of the workspace to look at. */
  readonly root: string;
  /** Names that people outside the workspace use, by room. A room that stands here is a public library. */
  readonly publicSurface: Readonly<Record<string, readonly string[]>>;
}

interface Unused {
  readonly exports: readonly Offence[];
  readonly testOnly: readonly Offence[];
  readonly dependencies: readonly Offence[];
}

/**
 * What nothing uses, found by knip, which is run twice: with the tests for what has no importer at all, without them
 * for what only tests run. Throws when knip does not answer.
 */
export function findUnused({ root, publicSurface }: UnusedRequest): Unused {
  const everything = runKnip(root, []);
  const product = runKnip(root, ['--production']);
  const isPublic = (file: string, name: string): boolean => publicSurface[roomOf(file)]?.includes(name) ?? false;
  const exports = everything.flatMap((issues) => unusedExportsOf(issues, publicSurface));
  const known = new Set(exports.map((offence) => offence.where));
  return {
    exports: [
      ...exports.filter((offence) => !isPublic(offence.file, offence.name)).map(toOffence),
      ...Object.entries(publicSurface).flatMap(([room, names]) => missingNames(root, { room, names })),
    ],
    testOnly: product
      .filter(({ file }) => mustRun(file))
      .flatMap(testOnlyOf)
      .filter((offence) => !known.has(offence.where) && !isPublic(offence.file, offence.name))
      .map(toOffence),
    dependencies: everything.flatMap(dependenciesOf),
  };
}

interface PublicRoom {
  readonly room: string;
  readonly names: readonly string[];
}

/** Names that stand on the public surface of a room and not in its index. */
function missingNames(root: string, { room, names }: PublicRoom): Offence[] {
  const index = `${room}/src/index.ts`;
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
  return (JSON.parse(ended.stdout) as { readonly issues: readonly FileIssues[] }).issues;
}

const at = (file: string, { line }: Named): string => (line === undefined ? file : `${file}:${line}`);

/** Types that a public library names in its index are there so that a signature can be written down outside. */
function unusedExportsOf(issues: FileIssues, publicRooms: UnusedRequest['publicSurface']): NamedOffence[] {
  const { file } = issues;
  if (isGenerated(file)) return [];
  const typesAreFree = roomOf(file) in publicRooms && file.endsWith('/src/index.ts');
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

/** Rooms whose exports must be run by the product. The others are tools of development. */
const mustRun = (file: string): boolean =>
  /^(?:packages|apps)\//.test(file) &&
  !file.startsWith('packages/testkit/') &&
  !isTest(file) &&
  !isGenerated(file) &&
  // What an index hands on is judged where it is declared.
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
