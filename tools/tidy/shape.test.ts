import { expect, test } from 'vitest';
import { longSentences, participleNames, questionOpeners, sweptPackages } from './shape.ts';
import { packageOf, readRepository } from './workspace.ts';

const packages = ['packages/low'];
const file = (text: string, path = 'packages/low/src/x.ts') => [{ path, text }];
const long = `It ${'goes on '.repeat(15)}here.`;

test.each([
  ['/** What it says. */\nconst a = 1;', 1],
  ['\n/**\n * Whether it holds.\n */', 2],
  ['/// @notice Which order.\nfunction f() {}', 1],
  ['/// Pays the owner.\n/// @dev How it pays.', 1],
  ['/** Whose order it is. */', 1],
])('a doc block that begins with a question word is found: %j', (text, line) => {
  expect(questionOpeners(file(text), packages).map(({ where }) => where)).toEqual([`packages/low/src/x.ts:${line}`]);
});

test.each([
  '/** Return the price. */',
  '/** Price when the quote was made. */',
  '// What follows is a comment in a body.',
  '/** Whatever the order says. */',
  '/**\n * Return the price.\n * @param a Whether it holds.\n */',
])('other doc blocks pass: %j', (text) => {
  expect(questionOpeners(file(text), packages)).toEqual([]);
});

test('longSentences: finds a clause of more than 30 words in any comment', () => {
  expect(longSentences(file(`\n// ${long}`), packages)).toMatchObject([
    { where: 'packages/low/src/x.ts:2', what: expect.stringContaining('32 words') },
  ]);
  expect(longSentences(file(`/**\n * ${long}\n */`), packages)).toHaveLength(1);
  expect(longSentences(file(`/** ${long.slice(0, 60)}; ${long.slice(60)} */`), packages)).toEqual([]);
  expect(longSentences(file(`const text = 'see https://example.org ${long}';`), packages)).toEqual([]);
});

test('participleNames: finds a local variable named by a participle alone', () => {
  const text = 'const came = 1;\nlet held = 2;\nconst heldShares = 3; // const seen\nf({ kept: 1 });';
  expect(participleNames(file(text), packages).map(({ where }) => where)).toEqual([
    'packages/low/src/x.ts:1',
    'packages/low/src/x.ts:2',
  ]);
});

test('shape rules: judge listed packages only, all of which exist', () => {
  expect(questionOpeners(file('/** What. */', 'packages/high/src/x.ts'), packages)).toEqual([]);
  expect(questionOpeners(file('/** What. */', 'packages/low/src/generated/x.ts'), packages)).toEqual([]);
  expect(questionOpeners(file('/// @dev Who fills.', 'contracts/src/x.sol'))).toHaveLength(1);
  const existing = new Set(readRepository().map(({ path }) => packageOf(path)));
  expect(sweptPackages.filter((pkg) => !existing.has(pkg))).toEqual([]);
});
