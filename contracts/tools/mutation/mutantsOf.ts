import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, digestOf } from '../project/codeDigest.ts';
import { type Edit, expressionEdits } from './expressionEdits.ts';

/** One small change of one source file. */
export interface Mutant {
  /** Of the change and of the function it changes, comments left out: the same wherever that stands in its file. */
  readonly id: string;
  readonly file: string;
  /** Line of the change, from 1. */
  readonly line: number;
  readonly operator: string;
  readonly before: string;
  readonly after: string;
  /** The whole file with the change. */
  readonly source: string;
  /** Replacement of the text from `from` until `to` by `text`. */
  readonly edit: { readonly from: number; readonly to: number; readonly text: string };
}

type Swap = readonly [operator: string, pattern: RegExp, replacements: readonly string[]];

interface Enumeration {
  readonly name: string;
  readonly members: readonly string[];
  /** Number of members that replace each, in turn. */
  readonly others: number;
}

/** For every member of an enumeration in use, those that may stand in its place. */
function membersSwapped(operator: string, { name, members, others }: Enumeration): Swap[] {
  return members.map((member, index) => {
    const after = Array.from({ length: others }, (_, at) => members[(index + 1 + at) % members.length] ?? '');
    return [operator, new RegExp(`\\b(?<=\\b${name}\\.)${member}\\b`, 'g'), after] as const;
  });
}

const purposes = ['Open', 'Close', 'Unwind', 'Liquidate', 'None'];
const states = ['None', 'Pending', 'Open', 'Closed', 'Settled', 'Liquidated', 'Cancelled', 'Reverted'];
const roles = ['Keeper', 'PriceSigner', 'Oracle'];

/** Swaps of one token; each replacement is a mutant of its own. */
const swaps: readonly Swap[] = [
  ['comparison', / < /g, [' <= ', ' >= ']],
  ['comparison', / <= /g, [' < ', ' > ']],
  ['comparison', / > /g, [' >= ', ' <= ']],
  ['comparison', / >= /g, [' > ', ' < ']],
  ['comparison', / == /g, [' != ']],
  ['comparison', / != /g, [' == ']],
  ['arithmetic', / \+ /g, [' - ']],
  ['arithmetic', / - /g, [' + ']],
  ['arithmetic', / \* /g, [' / ']],
  ['arithmetic', / \/ /g, [' * ']],
  ['arithmetic', / \+= /g, [' -= ', ' = ']],
  ['arithmetic', / -= /g, [' += ', ' = ']],
  ['logic', / && /g, [' || ']],
  ['logic', / \|\|(?=\s)/g, [' &&']],
  ['logic', /!(?=[A-Za-z_(])/g, ['']],
  ['logic', /\btrue\b/g, ['false']],
  ['logic', /\bfalse\b/g, ['true']],
  ['minimum', /\bmin(?=\()/g, ['max']],
  ['minimum', /\bmax(?=\()/g, ['min']],
  ['rounding', /\bmultiplyDivideUp(?=\()/g, ['multiplyDivideDown']],
  ['rounding', /\bRounding\.Ceil\b/g, ['Rounding.Floor']],
  ['rounding', /\bRounding\.Floor\b/g, ['Rounding.Ceil']],
  ['rounding', / \+ divisor - 1(?=\))/g, ['']],
  ['clamp', /\bsubtractOrZero(?=\()/g, ['max']],
  ['modifier', / (?:onlyVault|onlyOwner|onlyKeeper|nonReentrant)\b/g, ['']],
  ...membersSwapped('purpose', { name: 'Purpose', members: purposes, others: 4 }),
  ...membersSwapped('state', { name: 'PositionState', members: states, others: 1 }),
  ...membersSwapped('role', { name: 'Role', members: roles, others: 1 }),
];

const number = /(?<![\w.])(?:\d[\d_]*(?:e\d+)?)(?![\w.])/g;
const constantName = /(?<![\w.])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w(])/g;
const statement =
  /(?<=[;{}]\s*)(?:if \([^;{}]*?\) (?:revert |return\b)|revert |emit |delete |[\w.[\]]+(?: [-+]?= |\())[^;{}]*;/g;
const notStatement = /^(?:return|import|using|struct|error|event|function|modifier|constructor|_;)/;
const roundingDown = `
    function multiplyDivideDown(uint256 a, uint256 b, uint256 divisor) internal pure returns (uint256) {
        return (a * b) / divisor;
    }
}
`;

/** Every mutant of a folder of sources but the interfaces, by path. */
export function mutantsOfFolder(folder: string): Mutant[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = entries.filter((path) => path.endsWith('.sol') && !path.startsWith('interfaces')).sort();
  return files.flatMap((file) => mutantsOf(file, readFileSync(join(folder, file), 'utf8')));
}

/** Every mutant of a source file, in the order of the text; comments, strings, imports and declarations stay. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const code = masked(source);
  const edits: Edit[] = [...tokenEdits(code), ...numberEdits(code), ...statementEdits(code), ...expressionEdits(code)];
  return edits.sort((a, b) => a.from - b.from || a.to - b.to).map((edit) => mutantOf(file, source, edit));
}

/** The same number of characters, with everything that is not code blank. */
function masked(source: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ');
  return source
    .replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, blank)
    .replace(/"[^"\n]*"/g, blank)
    .replace(/^(?:pragma|using|import)\b[^;]*;/gm, blank)
    .replace(/^ *(?:struct|enum) \w+ \{[^}]*\}/gm, blank)
    .replace(/^ *using [^;]*;/gm, blank);
}

function tokenEdits(code: string): Edit[] {
  const edits: Edit[] = [];
  for (const [operator, pattern, replacements] of swaps) {
    for (const match of code.matchAll(pattern)) {
      if (code.slice(0, match.index).endsWith('function ')) continue;
      for (const after of replacements) {
        edits.push({ from: match.index, to: match.index + match[0].length, operator, after });
      }
    }
  }
  return edits;
}

/** Numbers and named constants in use, one up and one down. */
function numberEdits(code: string): Edit[] {
  const edits: Edit[] = [];
  for (const match of code.matchAll(number)) {
    if (/\b(?:uint|bytes|int)$/.test(code.slice(0, match.index))) continue;
    const to = match.index + match[0].length;
    edits.push({ from: match.index, to, operator: 'constant', after: `(${match[0]} + 1)` });
    if (match[0] !== '0') edits.push({ from: match.index, to, operator: 'constant', after: `(${match[0]} - 1)` });
  }
  for (const match of code.matchAll(constantName)) {
    const lineHead = code.slice(code.lastIndexOf('\n', match.index) + 1, match.index);
    if (/constant |immutable |Role\.$|Purpose\.$/.test(lineHead)) continue;
    const to = match.index + match[0].length;
    if (/^\s*[,}]/.test(code.slice(to)) && !lineHead.includes('(')) continue;
    for (const sign of ['+', '-']) {
      edits.push({ from: match.index, to, operator: 'constant', after: `(${match[0]} ${sign} 1)` });
    }
  }
  return edits;
}

/** Statements that may be left out: checks with their revert, events, assignments and calls. */
function statementEdits(code: string): Edit[] {
  const edits: Edit[] = [];
  for (const match of code.matchAll(statement)) {
    if (notStatement.test(match[0])) continue;
    const operator = match[0].startsWith('if ') ? 'check left out' : 'statement left out';
    edits.push({ from: match.index, to: match.index + match[0].length, operator, after: ';' });
  }
  return edits;
}

function mutantOf(file: string, source: string, edit: Edit): Mutant {
  const { from, to, operator } = edit;
  const after = edit.after === ';' ? '' : edit.after;
  const changed = source.slice(0, from) + after + source.slice(to);
  const lineStart = source.lastIndexOf('\n', from) + 1;
  const lineEnd = (text: string, at: number) => (text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at));
  const member = memberAround(source, edit);
  const [before, head, tail] = [
    source.slice(member.from, member.to),
    source.slice(member.from, from),
    source.slice(to, member.to),
  ];
  return {
    id: digestOf(JSON.stringify([file, codeOf(before), codeOf(head + after + tail)])),
    file,
    line: source.slice(0, from).split('\n').length,
    operator,
    before: source.slice(lineStart, lineEnd(source, to)).trim(),
    after: changed.slice(lineStart, lineEnd(changed, from + after.length)).trim(),
    source: changed,
    edit: { from, to, text: after },
  };
}

/** The function, constructor or modifier that an edit is inside of; outside of all, its lines. */
function memberAround(source: string, { from, to }: Pick<Edit, 'from' | 'to'>): { from: number; to: number } {
  const members = [...source.matchAll(/^ {4}(?:function|constructor|modifier|receive|fallback)\b[\s\S]*?^ {4}\}$/gm)];
  const around = members.find(({ index, 0: text }) => index <= from && to <= index + text.length);
  if (around !== undefined) return { from: around.index, to: around.index + around[0].length };
  const end = source.indexOf('\n', to);
  return { from: source.lastIndexOf('\n', from) + 1, to: end < 0 ? source.length : end };
}

/** UnitMath with a rounding that goes the other way, for mutants that call it. */
export function withRoundingDown(unitMath: string): string {
  return unitMath.replace(/\}\s*$/, roundingDown.slice(1));
}

/** An order of the items that depends on the seed alone (xorshift32, Fisher and Yates). */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  let state = seed >>> 0 || 1;
  for (let i = result.length - 1; i > 0; i -= 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    const j = state % (i + 1);
    const [later, earlier] = [result[i], result[j]];
    if (later === undefined || earlier === undefined) continue;
    result[i] = earlier;
    result[j] = later;
  }
  return result;
}
