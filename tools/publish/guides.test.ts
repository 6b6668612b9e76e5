import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../tidy/workspace.ts';
import { publicNameOf, publishedPackages } from './published.ts';

const docs = join(repositoryRoot, 'docs');
const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
const publicNames = new Map(publishedPackages().map(({ manifest: { name } }) => [name, publicNameOf(name)]));

/** Return the packages that the TypeScript blocks of a page import, without those of Node. */
function importedBy(text: string): ReadonlySet<string> {
  const blocks = [...text.matchAll(/^```ts\n(?<code>[\s\S]*?)^```/gm)].map(({ groups }) => groups?.['code'] ?? '');
  const specifiers = [...blocks.join('\n').matchAll(/from '(?<specifier>[^']+)'/g)].map(
    ({ groups }) => groups?.['specifier'] ?? '',
  );
  const nameOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  return new Set(specifiers.filter((specifier) => !specifier.startsWith('node:')).map(nameOf));
}

/** Return the packages that the `npm install` lines of a page install: name in the project → name on the registry. */
function installedBy(text: string): ReadonlyMap<string, string> {
  const lines = text.replaceAll('\\\n', ' ').match(/^npm install .*$/gm) ?? [];
  const words = lines.flatMap((line) => line.split(/\s+/).slice(2));
  return new Map(words.map((word) => [...word.split('@npm:'), word].slice(0, 2) as [string, string]));
}

test.each(pages)('%s: installs every package that its blocks import under the imported name', (page) => {
  const text = readFileSync(join(docs, page), 'utf8');
  const installed = installedBy(text);
  for (const name of importedBy(text))
    expect([name, installed.get(name)]).toEqual([name, publicNames.get(name) ?? name]);
});

test('guides: have blocks to check', () => {
  const counts = pages.map((page) => importedBy(readFileSync(join(docs, page), 'utf8')).size);
  expect(counts.filter((count) => count > 0).length).toBeGreaterThanOrEqual(3);
});

test('release workflow: packs by the command of packages.md', () => {
  const workflow = readFileSync(join(repositoryRoot, '.github/workflows/release.yml'), 'utf8');
  const [command] = /^npx -y pnpm@12 .*$/m.exec(readFileSync(join(docs, 'packages.md'), 'utf8')) ?? [];
  expect(workflow).toContain(`run: ${command}\n`);
});

test('packages.md: has a row for each published package with its peers', () => {
  const rows = [...readFileSync(join(docs, 'packages.md'), 'utf8').matchAll(/^\| `(@[^`]+)` \|.*\| (.*)\|$/gm)];
  const peersOf = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map((name) => name[1] ?? '').toSorted();
  expect(rows.map(([, name = '', text = '']) => [name, peersOf(text)])).toEqual(
    publishedPackages().map(({ manifest: { name, peerDependencies = {} } }) => [
      publicNameOf(name),
      Object.keys(peerDependencies).toSorted(),
    ]),
  );
});
