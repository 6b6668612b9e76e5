import { isGenerated, isTest, isTypeScript, lineAt, type Offence, type SourceFile } from './workspace.ts';

interface Ban {
  readonly pattern: RegExp;
  readonly what: string;
  readonly appliesTo: (path: string) => boolean;
  /** True when comments may say it: they are blanked before the search. */
  readonly sparesComments?: true;
}

/** The text with its comments blanked, line numbers kept. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '));

const isCode = (path: string): boolean =>
  /\.(ts|sol|sql)$/.test(path) && !isGenerated(path) && !path.startsWith('tools/');
const isProse = (path: string): boolean => !isGenerated(path) && !path.startsWith('tools/');
const isPure = (path: string): boolean => /^packages\/(pricing|errors|policy)\/src\//.test(path) && !isTest(path);

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
    what: 'clock, chance, environment or float in a pure room',
    appliesTo: isPure,
  },
];

/** Words and constructs that have no place in the tree, each with the files it is looked for in. */
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

const bannedName = /(?:^|[^a-z])(?:utils?|helpers?|common|manager|misc)(?:[^a-z]|$)/i;

/** File names that say nothing about what is inside. */
export function bannedNames(files: readonly SourceFile[]): Offence[] {
  return files
    .filter((file) => bannedName.test((file.path.split('/').at(-1) ?? '').replace(/([a-z])([A-Z])/g, '$1-$2')))
    .map((file) => ({ where: file.path, what: 'the name says nothing about what is inside' }));
}

/** Tables and generated text are exempt: their length is the length of the fact. */
const lengthExempt = /(?:\/table\.ts|\/routes\.ts|\/defaults\.ts|\/samples?\.ts|\/openapi\.json|Tables?\.ts)$/;
const longestFileLines = 600;
const longestLineColumns = 160;
/** A hash, a type string or an address list cannot be broken without hurting whoever searches for it. */
const longLiteral = /(['"`])(?:(?!\1).){80,}\1/;

export function lengths(files: readonly SourceFile[]): Offence[] {
  return files
    .filter((file) => /\.(ts|sol)$/.test(file.path) && !isGenerated(file.path) && !lengthExempt.test(file.path))
    .flatMap((file) => {
      const lines = file.text.split('\n');
      const tooLong = lines.length > longestFileLines && !isTest(file.path) && !file.path.endsWith('.sol');
      return [
        ...(tooLong ? [{ where: file.path, what: `${lines.length} lines; the limit is ${longestFileLines}` }] : []),
        ...lines.flatMap((line, index) =>
          line.length > longestLineColumns && !longLiteral.test(line)
            ? [
                {
                  where: `${file.path}:${index + 1}`,
                  what: `${line.length} columns; the limit is ${longestLineColumns}`,
                },
              ]
            : [],
        ),
      ];
    });
}

const entry = /(?:\/index\.ts|\/main\.ts|\.config\.ts|\/scripts\/[^/]+\.ts|\/ignition\/modules\/[^/]+\.ts)$/;

/** A TypeScript file that nobody imports and nothing starts. */
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
    .map((file) => ({ where: file.path, what: 'nobody imports this file' }));
}
