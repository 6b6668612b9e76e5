import { isGenerated, isTest, isTypeScript, lineAt, type Offence, type SourceFile } from './workspace.ts';

interface Ban {
  readonly pattern: RegExp;
  readonly what: string;
  readonly appliesTo: (path: string) => boolean;
  /** True when comments may contain it: they are blanked before the search. */
  readonly sparesComments?: true;
}

/** Return the text with its comments blanked and line numbers kept. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '));

const isCode = (path: string): boolean =>
  /\.(tsx?|sol|sql)$/.test(path) && !isGenerated(path) && !path.startsWith('tools/');
const isProse = (path: string): boolean => !isGenerated(path) && !path.startsWith('tools/');
const isPure = (path: string): boolean =>
  /^packages\/(pricing|errors|position|market|policy)\/src\//.test(path) && !isTest(path);

const bans: readonly Ban[] = [
  { pattern: /\b(?:describe|it|test)\.(?:skip|only|todo)\b/g, what: 'a skipped or lonely test', appliesTo: isCode },
  { pattern: /\b(?:TODO|FIXME|XXX)\b/g, what: 'work left in a comment', appliesTo: isCode },
  {
    pattern: /\bas (?:any|unknown as)\b|: any\b/g,
    what: 'a hole in the types',
    appliesTo: isCode,
    sparesComments: true,
  },
  {
    pattern: /@ts-(?:ignore|nocheck)/g,
    what: 'a hole in the types',
    appliesTo: isCode,
  },
  { pattern: /catch\s*(?:\([^)]*\))?\s*\{\s*\}/g, what: 'a swallowed failure', appliesTo: isCode },
  { pattern: /\/(?:work|farm|tmp\/plan|root)\/[a-z]/g, what: 'a path of one machine', appliesTo: isProse },
  { pattern: /registry\.npmjs\.org|deb\.debian\.org/g, what: 'a host of a package registry', appliesTo: isProse },
  {
    pattern: /Date\.now|new Date\(\)|Math\.random|process\.|parseFloat|performance\.now/g,
    what: 'clock, chance, environment or float in a pure package',
    appliesTo: isPure,
  },
];

/** Banned words and constructs, each in the files to which its ban applies. */
export function bannedText(files: readonly SourceFile[]): Offence[] {
  return files.flatMap((file) =>
    bans
      .filter((ban) => ban.appliesTo(file.path))
      .flatMap((ban) =>
        [...(ban.sparesComments ? withoutComments(file.text) : file.text).matchAll(ban.pattern)].map((found) => ({
          where: `${file.path}:${lineAt(file.text, found.index)}`,
          what: `${ban.what}: ${found[0]}`,
        })),
      ),
  );
}

/** Contract of the venue, which has its name from there. */
const venueName = 'PositionManager';
const bannedName = /(?:^|[^a-z])(?:utils?|helpers?|common|manager|misc)(?:[^a-z]|$)/i;

/** File names that describe nothing. */
export function bannedNames(files: readonly SourceFile[]): Offence[] {
  return files
    .filter((file) => {
      const name = (file.path.split('/').at(-1) ?? '').replace(venueName, '');
      return bannedName.test(name.replace(/([a-z])([A-Z])/g, '$1-$2'));
    })
    .map((file) => ({ where: file.path, what: 'the name says nothing about what is inside' }));
}

/** Return true for tests, generated files, tables and contracts, whose length is the length of their content. */
const isLengthExempt = (path: string): boolean =>
  isTest(path) ||
  isGenerated(path) ||
  path.endsWith('.sol') ||
  /(?:\/table\.ts|\/routes\.ts|\/constants\.ts|\/defaults\.ts|\/samples?\.ts|[tT]ables?\.ts)$/.test(path);
const longestFileLines = 300;
const longestLineColumns = 120;
/** A hash, a type string or an address list cannot be broken without hurting a search for it. */
const longLiteral = /(['"`])(?:(?!\1).){80,}\1/;

/** Files about more than one thing, by their length. */
export function fileLengths(files: readonly SourceFile[]): Offence[] {
  return files
    .filter((file) => /\.(?:tsx?|sol)$/.test(file.path) && !isLengthExempt(file.path))
    .map((file) => ({ where: file.path, lines: file.text.replace(/\n$/, '').split('\n').length }))
    .filter(({ lines }) => lines > longestFileLines)
    .map(({ where, lines }) => ({ where, what: `${lines} lines; the limit is ${longestFileLines}` }));
}

/** Lines that are too wide, tests included. */
export function lineWidths(files: readonly SourceFile[]): Offence[] {
  return files
    .filter((file) => /\.(?:tsx?|sol)$/.test(file.path) && !isGenerated(file.path))
    .flatMap((file) =>
      file.text.split('\n').flatMap((line, index) =>
        line.length > longestLineColumns && !longLiteral.test(line)
          ? [
              {
                where: `${file.path}:${index + 1}`,
                what: `${line.length} columns; the limit is ${longestLineColumns}`,
              },
            ]
          : [],
      ),
    );
}

const entry = /(?:\/index\.ts|\/main\.tsx?|\.config\.ts|\/scripts\/[^/]+\.ts|\/ignition\/modules\/[^/]+\.ts)$/;

/** TypeScript files that nothing imports or starts. */
export function orphans(files: readonly SourceFile[]): Offence[] {
  const everyText = files.filter(
    (file) => isTypeScript(file.path) || /package\.json$|\.ci\/run$|\.md$/.test(file.path),
  );
  return files
    .filter((file) => isTypeScript(file.path) && !isGenerated(file.path) && !entry.test(file.path))
    .filter((file) => !/\.(test|test-d|bench)\.ts$/.test(file.path))
    .filter((file) => {
      const name = file.path.split('/').at(-1) ?? '';
      return !everyText.some((other) => other.path !== file.path && other.text.includes(`/${name}`));
    })
    .map((file) => ({ where: file.path, what: 'nothing imports this file' }));
}
