import { expect, test } from 'vitest';
import { recipesOf, untrueRecipes } from './recipes.ts';
import { readRepository } from './workspace.ts';

const page = {
  path: 'AGENTS.md',
  text: '## Layers\n\n- `x`: y\n\n## Add a thing\n\nExample: `thingOf`, `a_thing`. More.\n\n- `packages/low/src/a.ts`: one\n- `apps/high/src/b.ts`, `apps/high/src/c.ts`: two\n',
};
const file = (path: string, text = 'const thingOf = 1;') => ({ path, text });
const listed = ['packages/low/src/a.ts', 'apps/high/src/b.ts', 'apps/high/src/c.ts'];

test('recipesOf: reads examples and files', () => {
  expect(recipesOf(page.text)).toEqual([{ title: 'Add a thing', examples: ['thingOf', 'a_thing'], paths: listed }]);
});

test('untrueRecipes: accepts a recipe that lists exactly the files with its example', () => {
  const files = [page, ...listed.map((path) => file(path)), file('apps/high/src/a.test.ts'), file('docs/a.md')];
  expect(untrueRecipes(files)).toEqual([]);
  expect(untrueRecipes([...files, file('apps/high/src/d.ts', "f('a_thing')")])).toEqual([
    { where: 'AGENTS.md', what: '"Add a thing" leaves out apps/high/src/d.ts' },
  ]);
  expect(untrueRecipes(files.filter(({ path }) => path !== 'apps/high/src/c.ts'))).toEqual([
    { where: 'AGENTS.md', what: '"Add a thing" lists a file without its example: apps/high/src/c.ts' },
  ]);
});

test('AGENTS.md has the recipes of common changes', () => {
  const text = readRepository().find(({ path }) => path === 'AGENTS.md')?.text ?? '';
  expect(recipesOf(text).map(({ title }) => title)).toEqual([
    'Add an error code',
    'Add a keeper task',
    'Add a route',
    'Add a figure to quotes',
    'Add a figure to positions',
    'Add a fee rate',
    'Add a market filter',
    'Add a venue field',
  ]);
});
