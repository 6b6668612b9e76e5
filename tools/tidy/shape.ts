import { isGenerated, lineAt, type Offence, packageOf, type SourceFile } from './workspace.ts';

/** Packages whose comments and names follow the shape rules. A package joins once it passes and never leaves. */
export const sweptPackages: readonly string[] = [
  'apps/api',
  'apps/console',
  'apps/devnet',
  'apps/filler',
  'apps/keeper',
  'apps/lev',
  'apps/price-signer',
  'apps/replay',
  'apps/venue-sim',
  'bench',
  'examples/browser-ticket',
  'examples/node-partner',
  'examples/pair-filler',
  'lab/simulation',
  'lab/world',
  'packages/attestation',
  'packages/errors',
  'packages/keys',
  'packages/market',
  'packages/policy',
  'packages/position',
  'packages/pricing',
  'packages/runtime',
  'packages/sdk',
  'packages/store',
  'packages/testkit',
  'packages/tracing',
  'packages/vault',
  'packages/venue',
  'packages/wire',
  'tools',
];

const maxWords = 30;
const openers = 'What|Whether|Who|Whose|Where|When|Why|How|Which';
const participles =
  'came|seen|kept|taken|got|held|given|known|asked|found|sent|done|left|made|gone|wanted|needed|allowed|missed|' +
  'shown|drawn|lost|settled|opened|closed|filled|passed|refused|expected|stored|started|stopped|signed|served';

const comment = /(?<=^|[\s(){}[\],;=>|&?:])\/\*[\s\S]*?\*\/|(?<![:"'`\w\\[])\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/gm;
const markers = /^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/\/?)[ ]?/gm;
/** First word of a doc block, or of one of its Solidity tags. */
const opening = new RegExp(String.raw`^\s*(?:@notice|@dev|@title)?\s*(${openers})\b`);
const localName = new RegExp(String.raw`\b(?:const|let)\s+(${participles})\b`, 'g');

interface Comment {
  readonly line: number;
  readonly isDoc: boolean;
  /** Text without the comment's markers. */
  readonly text: string;
}

function commentsOf(text: string): Comment[] {
  return [...text.matchAll(comment)].map((found) => ({
    line: lineAt(text, found.index),
    isDoc: /^(?:\/\*\*|\/\/\/)/.test(found[0]),
    text: found[0].replace(/\*\/$/, '').replace(markers, ''),
  }));
}

/** Return the parts of a doc block that have an opening of their own: the block and its `@notice`, `@dev`, `@title`. */
const partsOf = (text: string): string[] => text.split(/\n(?=@)/);

const clausesOf = (text: string): string[] =>
  text
    .replace(/```[\s\S]*?```|`[^`]*`/g, 'code')
    .split(/(?<=[.!?:;])\s+|\n\s*\n|\n(?=\s*(?:@|- ))/)
    .map((clause) => clause.trim());

const wordsOf = (clause: string): number => clause.match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu)?.length ?? 0;

/** The tests of these rules hold what the rules refuse. */
const isJudged = ({ path }: SourceFile, packages: readonly string[]): boolean =>
  !path.startsWith('tools/tidy/shape.') &&
  /\.(?:tsx?|mjs|sol)$/.test(path) &&
  !isGenerated(path) &&
  packages.includes(packageOf(path));

/** Doc blocks that begin with a question word instead of an imperative verb or a noun phrase. */
export function questionOpeners(files: readonly SourceFile[], packages = [...sweptPackages, 'contracts']): Offence[] {
  return files
    .filter((file) => isJudged(file, packages))
    .flatMap((file) =>
      commentsOf(file.text)
        .filter(({ isDoc }) => isDoc)
        .flatMap(({ line, text }) =>
          partsOf(text).flatMap((part) => {
            const word = opening.exec(part)?.[1];
            return word === undefined
              ? []
              : [{ where: `${file.path}:${line}`, what: `the doc block begins with "${word}": use a verb or a noun` }];
          }),
        ),
    );
}

/** Clauses of comments that are too long: up to a full stop, a colon or a semicolon. */
export function longSentences(files: readonly SourceFile[], packages = sweptPackages): Offence[] {
  return files
    .filter((file) => isJudged(file, packages))
    .flatMap((file) =>
      commentsOf(file.text).flatMap(({ line, text }) =>
        clausesOf(text)
          .filter((clause) => wordsOf(clause) > maxWords)
          .map((clause) => ({
            where: `${file.path}:${line}`,
            what: `${wordsOf(clause)} words, the limit is ${maxWords}: ${clause.slice(0, 60)}…`,
          })),
      ),
    );
}

/** Local variables named by a past participle alone. */
export function participleNames(files: readonly SourceFile[], packages = sweptPackages): Offence[] {
  return files
    .filter((file) => isJudged(file, packages))
    .flatMap((file) =>
      [...file.text.replace(comment, (text) => text.replace(/[^\n]/g, ' ')).matchAll(localName)].map((found) => ({
        where: `${file.path}:${lineAt(file.text, found.index)}`,
        what: `the name "${found[1]}" is a participle: name the thing`,
      })),
    );
}
