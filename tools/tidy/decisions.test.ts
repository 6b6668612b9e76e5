import { expect, test } from 'vitest';
import { malformedDecisions, missingDecisions } from './decisions.ts';

const path = 'packages/low/DECISIONS.md';
const index = { path: 'docs/decisions.md', text: '[low](../packages/low/DECISIONS.md)' };
const listOf = (body: string) => ({ path, text: `# Decisions: low\n\n## A title\n${body}\n` });
const good = '- Decision: a.\n- Because: b.\n- Revisit when: c.';

test('accepts three lines of a listed file', () => {
  expect(malformedDecisions([index, listOf(good)])).toEqual([]);
});

test.each([
  ['- Decision: a.\n- Because: b.', /three lines/],
  [`${good}\nMore.`, /three lines/],
  [good.replace('a.', 'word '.repeat(100)), /10\d words; the limit is 100/],
])('refuses another form: %s', (body, what) => {
  const [offence] = malformedDecisions([index, listOf(body)]);
  expect(offence).toMatchObject({ where: `${path}:3`, what: expect.stringMatching(what) });
});

test('refuses a list that the index does not link', () => {
  expect(malformedDecisions([listOf(good)])).toMatchObject([{ where: path }]);
});

test('refuses a reference in code to a decision that does not exist', () => {
  const code = (anchor: string) => ({ path: 'apps/high/src/a.ts', text: `\n// Decision: ${path}#${anchor}` });
  expect(missingDecisions([listOf(good), code('a-title')])).toEqual([]);
  expect(missingDecisions([listOf(good), code('gone')])).toEqual([
    { where: 'apps/high/src/a.ts:2', what: `no decision ${path}#gone` },
  ]);
});
