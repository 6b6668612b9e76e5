import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { repositoryRoot } from '../tidy/workspace.ts';
import { publishedPackages } from './published.ts';

/** One entry of a changelog: the packages that it concerns, and its text. */
export interface ChangeEntry {
  readonly packages: readonly string[];
  readonly text: string;
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

/**
 * Return the entry of a changeset, with the names of packages without their scope.
 *
 * @throws Error with the first line that names no package of the tree.
 */
export function entryOfChangeset(changeset: string): ChangeEntry {
  const [, head = '', text = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(changeset) ?? [];
  const packages = head.split('\n').map((line) => {
    const name = /^["']?@core\/([\w-]+)["']?: (?:patch|minor|major)$/.exec(line)?.[1];
    if (name === undefined) throw new Error(`a changeset names no package in: ${line}`);
    return name;
  });
  return { packages, text: oneLine(text) };
}

/** Return the entries of a package's own changelog by version, newest first, without those about dependencies. */
export function entriesByVersion(changelog: string): ReadonlyMap<string, readonly string[]> {
  const [, ...versions] = changelog.split(/^## /m);
  return new Map(
    versions.map((section) => {
      const items = [...section.matchAll(/^- (?:[0-9a-f]{7,}: )?([\s\S]*?)(?=^- |^###|$(?![\s\S]))/gm)];
      const texts = items.map((item) => oneLine(item[1] ?? ''));
      const changes = texts.filter((text) => !text.startsWith('Updated dependencies'));
      return [section.slice(0, section.indexOf('\n')).trim(), changes];
    }),
  );
}

const linesOf = (entries: readonly ChangeEntry[]): string =>
  entries.map(({ packages, text }) => `- ${packages.join(', ')}: ${text}`).join('\n');

/** Return the changelog of all packages, which share their versions: unreleased entries, then each release. */
export function changelogOf(unreleased: readonly ChangeEntry[], changelogs: ReadonlyMap<string, string>): string {
  const releases = new Map<string, Map<string, string[]>>();
  for (const [name, changelog] of changelogs) {
    for (const [version, texts] of entriesByVersion(changelog)) {
      const packagesByText = releases.get(version) ?? new Map<string, string[]>();
      for (const text of texts) packagesByText.set(text, [...(packagesByText.get(text) ?? []), name]);
      releases.set(version, packagesByText);
    }
  }
  const sections = [...releases].map(
    ([version, byText]) => `## ${version}\n\n${linesOf([...byText].map(([text, packages]) => ({ packages, text })))}`,
  );
  const pending = unreleased.length === 0 ? [] : [`## Unreleased\n\n${linesOf(unreleased)}`];
  return `${['# Changelog', 'Written by `gen` from the changesets.', ...pending, ...sections].join('\n\n')}\n`;
}

function main(): void {
  const folder = join(repositoryRoot, '.changeset');
  const changesets = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const unreleased = changesets.toSorted().map((name) => entryOfChangeset(readFileSync(join(folder, name), 'utf8')));
  const changelogs = publishedPackages().map(({ shortName, folder: home }): readonly [string, string] => {
    const path = join(home, 'CHANGELOG.md');
    return [shortName, existsSync(path) ? readFileSync(path, 'utf8') : ''];
  });
  writeFileSync(join(repositoryRoot, 'CHANGELOG.md'), changelogOf(unreleased, new Map(changelogs)));
}

// The launcher imports this file, so that it is not the main module there.
if (resolve(process.argv[1] ?? '') === import.meta.filename) main();
