import { expect, test } from 'vitest';
import { changelogOf, entriesByVersion, entryOfChangeset } from './changelog.ts';

const pricing = `# @core/pricing

## 1.1.0

### Minor Changes

- 1a2b3c4: Added \`walk\`.
  In two lines.

- 0123456: Renamed both.

### Patch Changes

- Updated dependencies [0123456]
  - @core/errors@1.1.0

## 1.0.0

### Minor Changes

- fedcba9: First.
`;

test('entryOfChangeset: reads packages and text', () => {
  const changeset = '---\n"@core/sdk": minor\n"@core/wire": patch\n---\n\nAdded\nthis.\n';
  expect(entryOfChangeset(changeset)).toEqual({ packages: ['sdk', 'wire'], text: 'Added this.' });
});

test('entriesByVersion: leaves out updates of dependencies', () => {
  expect([...entriesByVersion(pricing)]).toEqual([
    ['1.1.0', ['Added `walk`. In two lines.', 'Renamed both.']],
    ['1.0.0', ['First.']],
  ]);
});

test('changelogOf: lists a change of several packages once per version', () => {
  const errors = '# @core/errors\n\n## 1.1.0\n\n### Minor Changes\n\n- 0123456: Renamed both.\n';
  const changelog = changelogOf(
    [{ packages: ['sdk'], text: 'Added.' }],
    new Map([
      ['errors', errors],
      ['pricing', pricing],
      ['sdk', ''],
    ]),
  );
  expect(changelog).toBe(`# Changelog

Written by \`gen\` from the changesets.

## Unreleased

- sdk: Added.

## 1.1.0

- errors, pricing: Renamed both.
- pricing: Added \`walk\`. In two lines.

## 1.0.0

- pricing: First.
`);
});

test('entryOfChangeset: a name of another scope → refused with its line', () => {
  const changeset = '---\n"@core/sdk": minor\n"@elsewhere/wire": minor\n---\n\nAdded this.\n';
  expect(() => entryOfChangeset(changeset)).toThrow('names no package in: "@elsewhere/wire": minor');
});
