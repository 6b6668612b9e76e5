import { describe, expect, it } from 'vitest';
import { brokenLinks, missingPaths } from './links.ts';
import { importsFollowTheMap, mapIsComplete, roomsOnTheMap } from './rooms.ts';
import { codesRaisedAndTested, routesTested } from './surface.ts';
import { bannedNames, bannedText, lengths, orphans } from './text.ts';
import { readRepository } from './workspace.ts';

const map = {
  path: 'ARCHITECTURE.md',
  text: '| `packages/low` | `@core/low` | x |\n| `packages/high` | `@core/high` | x |\n',
};
const manifest = (folder: string, name: string) => ({ path: `${folder}/package.json`, text: JSON.stringify({ name }) });

describe('each rule catches what it is for', () => {
  it.each([
    ["it.skip('x')", 'packages/low/src/x.test.ts'],
    ['// TODO later', 'packages/low/src/x.ts'],
    ['const x = y as unknown as Z;', 'packages/low/src/x.ts'],
    ['try { f() } catch (error) {}', 'packages/low/src/x.ts'],
    ['const now = Date.now();', 'packages/pricing/src/x.ts'],
    ['see /work/main', 'README.md'],
  ])('banned text: %s', (text, path) => {
    expect(bannedText([{ path, text }])).toHaveLength(1);
  });

  it('leaves good text alone', () => {
    expect(
      bannedText([{ path: 'packages/pricing/src/x.ts', text: '// The clock is a port.\nexport const a = 1n;' }]),
    ).toEqual([]);
  });

  it('banned names', () => {
    const named = (name: string) => bannedNames([{ path: `packages/low/src/${name}`, text: '' }]);
    expect(named('utils.ts')).toHaveLength(1);
    expect(named('priceHelper.ts')).toHaveLength(1);
    expect(named('commonwealth.ts')).toHaveLength(0);
  });

  it('lengths', () => {
    expect(lengths([{ path: 'packages/low/src/x.ts', text: 'x\n'.repeat(700) }])).toHaveLength(1);
    expect(lengths([{ path: 'packages/low/src/x.ts', text: 'x'.repeat(200) }])).toHaveLength(1);
  });

  it('orphans', () => {
    const lonely = { path: 'packages/low/src/lonely.ts', text: '' };
    const index = { path: 'packages/low/src/index.ts', text: "export * from './used.ts';" };
    const used = { path: 'packages/low/src/used.ts', text: '' };
    expect(orphans([lonely, index, used]).map((offence) => offence.where)).toEqual([lonely.path]);
  });

  it('map of rooms', () => {
    expect(
      mapIsComplete([map, manifest('packages/low', '@core/low'), manifest('packages/high', '@core/high')]),
    ).toEqual([]);
    expect(
      mapIsComplete([map, manifest('packages/low', '@core/low'), manifest('packages/new', '@core/new')]),
    ).toHaveLength(2);
  });

  it('imports against the map', () => {
    const upward = { path: 'packages/low/src/a.ts', text: "import { x } from '@core/high';" };
    const downward = { path: 'packages/high/src/a.ts', text: "import { x } from '@core/low';" };
    expect(importsFollowTheMap([map, upward, downward]).map((offence) => offence.where)).toEqual([upward.path]);
  });

  it('links', () => {
    expect(
      brokenLinks([{ path: 'README.md', text: '[a](STYLE.md) [b](nowhere.md) [c](https://example.org)' }]),
    ).toHaveLength(1);
  });

  it('paths in code spans', () => {
    expect(missingPaths([{ path: 'README.md', text: '`tools/check.ts` `tools/nowhere.ts`' }])).toHaveLength(1);
  });

  it('error codes and routes', () => {
    const raised = { path: 'packages/policy/src/a.ts', text: "reject('some_code')" };
    const asserted = { path: 'packages/policy/src/a.test.ts', text: "toBe('some_code')" };
    const use = [{ code: 'some_code', exempt: false }];
    expect(codesRaisedAndTested([raised, asserted], use)).toEqual([]);
    expect(codesRaisedAndTested([], use)).toHaveLength(2);
    expect(codesRaisedAndTested([], [{ code: 'some_code', exempt: true }])).toEqual([]);
    expect(routesTested([], ['tokens.create'])).toHaveLength(1);
    expect(
      routesTested([{ path: 'apps/api/test/a.test.ts', text: "route('tokens.create')" }], ['tokens.create']),
    ).toEqual([]);
  });
});

describe('the repository', () => {
  it('is readable and has a map', () => {
    const files = readRepository();
    expect(files.length).toBeGreaterThan(30);
    const architecture = files.find((file) => file.path === 'ARCHITECTURE.md');
    expect(roomsOnTheMap(architecture?.text ?? '').length).toBeGreaterThan(10);
  });
});
