import { isGenerated, type Offence, type SourceFile } from './workspace.ts';

interface PrivateWord {
  /** Parts of a name, as words separated by blanks: `leastLimitOf` is `least limit of`. */
  readonly inNames?: RegExp;
  /** Words of comments, documents and texts. */
  readonly inProse?: RegExp;
  readonly instead: string;
}

/** Match a whole name, not a part of a longer one. */
const whole = (names: RegExp): RegExp => new RegExp(String.raw`(?<=^|\| )(?:${names.source})(?= \||$)`);
const everywhere = (pattern: RegExp, instead: string): PrivateWord => ({ inNames: pattern, inProse: pattern, instead });

/**
 * Private words with the standard ones. Where a word is also plain English ("at least", "the most urgent", "in turn",
 * "the price reaches"), only its private use is matched.
 */
const privateWords: readonly PrivateWord[] = [
  // `mostUnits` is a name of the vault's interface.
  { inNames: /\b(?<!at )(?:least|most)\b(?! units\b)/, instead: 'minimum, maximum' },
  {
    // `draft_offer_id` is the specification's own name.
    inNames: /(?<!draft )\boffers?\b/,
    inProse: /\b(?:an?|the|its|each|every|no|this|that|model|market) offers?\b/,
    instead: 'maximum leverage, quote, candidate',
  },
  everywhere(/\b(?:status|state|side|code|reason|purpose|unit|uma|type|kind) words?\b/, 'code, value'),
  everywhere(/\b(?:story|stories|chapters?)\b/, 'scenario, step'),
  { inNames: /\bdivision\b/, instead: 'distribution' },
  everywhere(/\bsight(?:s|ed|ing|ings)?\b/, 'observation'),
  everywhere(/\blanes?\b/, 'transaction sender'),
  { inNames: /\btend(?:s|ed)?\b/, inProse: /\b(?:tend(?:s|ed)?(?! to\b)|tending)\b/, instead: 'resume' },
  {
    inNames: whole(/turn|in turn|max turns/),
    inProse: /\b(?:an?|the|its|one|each|next) turn\b/,
    instead: 'attempt, queue',
  },
  everywhere(/\banew\b/, 'again'),
  everywhere(/\b(?:nobody|somebody|whoever)\b/, 'the role: user, keeper, anyone'),
  everywhere(/\b(?:he|his|him|himself|she|her|herself)\b/, 'the role: user, keeper, anyone'),
  everywhere(/\b(?:tells?|told|telling)\b/, 'emits, returns, says'),
  everywhere(/\b(?:fates?|verdicts?)\b/, 'status, result'),
  everywhere(/\bdesks?\b/, 'client, driver'),
  everywhere(/\b(?:beats?|beating|pulses?)\b/, 'heartbeat'),
  { inNames: whole(/reach|reach nothing/), instead: 'failpoint' },
  everywhere(/\bcrash points?\b/, 'failpoint'),
  { inNames: /\bstanding\b/, inProse: /\bstanding (?:orders?|requests?|sales?|closes?)\b/, instead: 'outstanding' },
  everywhere(/\b(?:orders? touched|touched orders?)\b/, 'used'),
  everywhere(/\blead[ -]ins?\b/, 'prefix'),
  everywhere(/\bbarred\b/, 'blacklisted'),
  everywhere(/\bwish(?:es|ed)?\b/, 'request'),
  everywhere(/\b(?:still|new)?(?:born|births?)\b/, 'at opening'),
  everywhere(/\bdead orders?\b/, 'expired order'),
  everywhere(/\bgifts?\b/, 'donation'),
  everywhere(/\b(?:crumbs?|lasting owner)\b/, 'remainder; non-renounceable Ownable2Step'),
  { inNames: /\bhands (?:tokens|over|out)\b/, instead: 'transfersTokens' },
];

const isElements = (path: string): boolean => path.endsWith('.tsx');
const isCode = (path: string): boolean => /\.(?:tsx?|sol)$/.test(path);
/** Applied migrations never change; this table and its tests must contain the words. */
const isExempt = (path: string): boolean =>
  isGenerated(path) || path.includes('/migrations/') || path.startsWith('tools/tidy/words');
const searched = /\.(?:tsx?|sol|md|sql|prisma|ya?ml|css|html)$/;

/** Return `leastLimitOf`, `least_limit_of` and `LEAST_LIMIT_OF` as `least limit of`. */
const partsOf = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])|([A-Z]+)([A-Z][a-z])/g, '$1$3 $2$4')
    .replace(/_+/g, ' ')
    .toLowerCase();

/** Text that is not code: comments and strings. */
const proseOfCode = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** Text between the tags of an element. Without parentheses and operators, which are code. */
const textOfElements = /(?<=[>}])[^<>{}=;()]*(?=[<{])/g;
const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Return names and prose of each line. A compound word such as `leastPriceOf` is a name in prose too. */
function linesOf(file: SourceFile): { readonly names: string; readonly prose: string }[] {
  const text = isElements(file.path) ? file.text.replace(textOfElements, blank) : file.text;
  const code = isCode(file.path) ? text.replace(proseOfCode, blank) : blank(file.text);
  const codeLines = code.split('\n');
  const compound = /\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|\w+_\w+)\b/g;
  return file.text.split('\n').map((line, index) => {
    const codeLine = codeLines[index] ?? '';
    const rest = line.replace(/\S/g, (char, at: number) => (codeLine.charAt(at).trim() === '' ? char : ' '));
    const names = [...(codeLine.match(/\b[A-Za-z_]\w*\b/g) ?? []), ...(rest.match(compound) ?? [])];
    return { names: names.map(partsOf).join(' | '), prose: rest.replace(compound, ' ').toLowerCase() };
  });
}

/** Private words in names, comments, texts and documents, each with the word to use. */
export function privateWordsIn(files: readonly SourceFile[]): Offence[] {
  return files
    .filter((file) => searched.test(file.path) && !isExempt(file.path))
    .flatMap((file) =>
      linesOf(file).flatMap(({ names, prose }, index) =>
        privateWords.flatMap(({ inNames, inProse, instead }) => {
          const matches = [inNames?.exec(names)?.[0], inProse?.exec(prose)?.[0]].filter((word) => word !== undefined);
          return [...new Set(matches)].map((word) => ({
            where: `${file.path}:${index + 1}`,
            what: `the private word "${word}": ${instead}`,
          }));
        }),
      ),
    );
}
