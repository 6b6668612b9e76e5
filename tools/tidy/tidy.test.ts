import { describe, expect, it } from 'vitest';
import { importCircles } from './circles.ts';
import { missingScripts, ringsNeverRun, testsWithoutSeed } from './commands.ts';
import { constantsReadByTestsOnly } from './constants.ts';
import { brokenLinks, missingPaths, unreachableDocuments } from './links.ts';
import { importsFollowTheMap, mapIsComplete, packagesOnTheMap, strangersStayApart } from './packageMap.ts';
import { codesRaisedAndTested, routesTested } from './surface.ts';
import { bannedNames, bannedText, fileLengths, lineWidths, orphans } from './text.ts';
import { readRepository } from './workspace.ts';

const map = {
  path: 'ARCHITECTURE.md',
  text: '| `packages/low` | `@core/low` | x |\n| `packages/high` | `@core/high` | x |\n',
};
const manifest = (folder: string, name: string) => ({ path: `${folder}/package.json`, text: JSON.stringify({ name }) });

describe('tidy rules', () => {
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

  it('accept good text', () => {
    expect(
      bannedText([{ path: 'packages/pricing/src/x.ts', text: '// The clock is a port.\nexport const a = 1n;' }]),
    ).toEqual([]);
  });

  it('banned names', () => {
    const named = (name: string) => bannedNames([{ path: `packages/low/src/${name}`, text: '' }]);
    expect(named('utils.ts')).toHaveLength(1);
    expect(named('priceHelper.ts')).toHaveLength(1);
    expect(named('commonwealth.ts')).toHaveLength(0);
    expect(named('positionManagers.ts')).toHaveLength(0);
    expect(named('IPositionManager.sol')).toHaveLength(0);
    expect(named('orderManager.ts')).toHaveLength(1);
  });

  it('file lengths', () => {
    const named = (path: string, lines: number) => fileLengths([{ path, text: 'x\n'.repeat(lines) }]);
    expect(named('packages/low/src/x.ts', 301)).toHaveLength(1);
    expect(named('packages/low/src/x.ts', 300)).toEqual([]);
    expect(['table.ts', 'x.test.ts', 'V.sol', 'generated/x.ts'].flatMap((name) => named(`a/${name}`, 900))).toEqual([]);
  });

  it('line widths', () => {
    const line = (text: string) => lineWidths([{ path: 'packages/low/src/x.test.ts', text }]);
    expect(line('x'.repeat(121))).toHaveLength(1);
    expect(line('x'.repeat(120))).toEqual([]);
    expect(line(`${' '.repeat(60)}'${'x'.repeat(80)}'`)).toEqual([]);
  });

  it.each([
    [
      ['a.ts', "import { b } from './b.ts';"],
      ['b.ts', "import type { a } from './a.ts';"],
    ],
    [
      ['a/x.ts', "import { y } from '../b/y.ts';"],
      ['b/z.ts', "export * from '../a/w.ts';"],
    ],
    [
      ['a/x.ts', "import { top } from '../top.ts';"],
      ['top.ts', "const a = import('./a/w.ts');"],
    ],
  ])('import circles: %j', (...named) => {
    const files = named.map(([name, text]) => ({ path: `packages/low/src/${name}`, text: text ?? '' }));
    expect(importCircles(files).map(({ where }) => where)).toEqual(['packages/low/src']);
    expect(importCircles(files.slice(0, 1))).toEqual([]);
  });

  it('import circles: report one offence with the shortest circle', () => {
    const ring = ['a', 'b', 'c', 'd'].map((name, index, names) => ({
      path: `packages/low/src/${name}.ts`,
      text: `import { x } from './${names[(index + 1) % 4]}.ts';`,
    }));
    const test = { path: 'packages/low/src/a.test.ts', text: "import { x } from './a.ts';" };
    expect(importCircles([...ring, test])).toEqual([
      {
        where: 'packages/low/src',
        what: 'a circle of 4 (a.ts, b.ts, c.ts, d.ts): a.ts → b.ts; b.ts → c.ts; c.ts → d.ts; d.ts → a.ts',
      },
    ]);
  });

  it('constants', () => {
    const table = {
      path: 'packages/low/src/constants.ts',
      text: 'export const limits = {\n  /** One. */\n  readUnits: 1n,\n  takenUnits: 2n,\n  provedUnits: {\n    inner: 3n,\n  },\n};\n',
    };
    const product = {
      path: 'packages/low/src/a.ts',
      text: 'const { takenUnits } = limits;\nf(limits.readUnits, other.provedUnits);',
    };
    const proof = { path: 'packages/low/src/a.test.ts', text: 'f(limits.provedUnits)' };
    expect(constantsReadByTestsOnly([table, product, proof])).toEqual([
      { where: 'packages/low/src/constants.ts:5', what: 'no product code reads limits.provedUnits' },
    ]);
    expect(constantsReadByTestsOnly([table, product, { ...proof, path: 'packages/low/src/b.ts' }])).toEqual([]);
  });

  it('orphans', () => {
    const lonely = { path: 'packages/low/src/lonely.ts', text: '' };
    const index = { path: 'packages/low/src/index.ts', text: "export * from './used.ts';" };
    const used = { path: 'packages/low/src/used.ts', text: '' };
    expect(orphans([lonely, index, used]).map((offence) => offence.where)).toEqual([lonely.path]);
  });

  it('package table', () => {
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

  it('imports of the packages at the bottom', () => {
    const rows = ['errors', 'pricing', 'vault'].map((name) => `| \`packages/${name}\` | \`@core/${name}\` | x |`);
    const bottom = { path: 'ARCHITECTURE.md', text: `${rows.join('\n')}\n` };
    const vault = { path: 'packages/vault/src/a.ts', text: "import { x } from '@core/errors';" };
    const good = { path: 'packages/vault/src/b.ts', text: "import { x } from '@core/pricing';" };
    const test = { path: 'packages/vault/src/a.test.ts', text: "import { x } from '@core/errors';" };
    const offences = importsFollowTheMap([bottom, vault, good, test]);
    expect(offences.map((offence) => offence.where)).toEqual([vault.path]);
  });

  it('imports between strangers', () => {
    const venue = { path: 'packages/venue/src/a.test.ts', text: "import { x } from '@core/policy';" };
    const policy = { path: 'packages/policy/src/a.ts', text: "import { x } from '@core/venue';" };
    const shared = { path: 'packages/venue/src/b.ts', text: "import { x } from '@core/market';" };
    expect(strangersStayApart([venue, policy, shared]).map((offence) => offence.where)).toEqual([
      venue.path,
      policy.path,
    ]);
  });

  it('links', () => {
    const style = { path: 'STYLE.md', text: '# Style\n## One, two `three`\n' };
    const wrong = (text: string) => brokenLinks([{ path: 'README.md', text }, style]).map(({ what }) => what);
    expect(wrong('[a](STYLE.md) [b](nowhere.md) [c](https://example.org)')).toEqual([
      'the link (nowhere.md) leads nowhere',
    ]);
    expect(wrong('# Here\n[a](#here) [b](STYLE.md#one-two-three) [c](#there) [d](STYLE.md#four)')).toHaveLength(2);
  });

  it('documents that nothing links', () => {
    const files = [
      { path: 'README.md', text: '[a](docs/a.md) [b](low)' },
      { path: 'docs/a.md', text: '[c](../c.md#x)' },
      { path: 'low/README.md', text: '' },
      { path: 'c.md', text: '' },
      { path: 'docs/d.md', text: '[a](a.md)' },
    ];
    expect(unreachableDocuments(files).map(({ where }) => where)).toEqual(['docs/d.md']);
  });

  it('commands', () => {
    const root = { path: 'package.json', text: '{"scripts":{"test":"x"}}' };
    const page = { path: 'a.md', text: 'npx -y pnpm@12 test\n`npx -y pnpm@12 exec x` npx -y pnpm@12 tets' };
    expect(missingScripts([root, page])).toEqual([{ where: 'a.md:2', what: 'no script tets in package.json' }]);
  });

  it('tests of a ring that no run starts', () => {
    const long = { path: 'packages/low/test/crash.long.test.ts', text: '' };
    const lacking = manifest('packages/low', '@core/low');
    const running = { ...lacking, text: '{"scripts":{"test:long":"x"}}' };
    expect(ringsNeverRun([long, lacking])).toHaveLength(1);
    expect(ringsNeverRun([long, running])).toEqual([]);
    expect(ringsNeverRun([{ ...long, path: 'packages/low/test/crash.real.test.ts' }, running])).toHaveLength(1);
    expect(ringsNeverRun([lacking])).toEqual([]);
  });

  it('property seeds', () => {
    const config = (text: string) => ({ path: 'packages/low/vitest.config.ts', text });
    const law = (path: string, text = '') => ({ path, text: `${text}import * as fc from 'fast-check';` });
    const based = config("import base from '../../vitest.base.ts';");
    expect(testsWithoutSeed([based, law('packages/low/src/x.prop.test.ts')])).toEqual([]);
    expect(testsWithoutSeed([config('')])).toHaveLength(1);
    expect(testsWithoutSeed([based, law('contracts/test/x.test.ts')])).toHaveLength(1);
    expect(testsWithoutSeed([based, law('contracts/test/x.test.ts', "import '../../vitest.setup.ts';")])).toEqual([]);
  });

  it('paths in code spans', () => {
    expect(missingPaths([{ path: 'README.md', text: '`tools/check.ts` `tools/nowhere.ts`' }])).toHaveLength(1);
  });

  it('error codes and routes', () => {
    const raised = { path: 'packages/policy/src/a.ts', text: "reject('some_code')" };
    const asserted = { path: 'packages/policy/src/a.test.ts', text: "toBe('some_code')" };
    expect(codesRaisedAndTested([raised, asserted], ['some_code'])).toEqual([]);
    expect(codesRaisedAndTested([], ['some_code'])).toHaveLength(2);
    expect(routesTested([], ['tokens.create'])).toHaveLength(1);
    expect(
      routesTested([{ path: 'apps/api/test/a.test.ts', text: "route('tokens.create')" }], ['tokens.create']),
    ).toEqual([]);
  });
});

describe('the repository', () => {
  it('is readable and has a table of packages', () => {
    const files = readRepository();
    expect(files.length).toBeGreaterThan(30);
    const architecture = files.find((file) => file.path === 'ARCHITECTURE.md');
    expect(packagesOnTheMap(architecture?.text ?? '').length).toBeGreaterThan(10);
  });
});
