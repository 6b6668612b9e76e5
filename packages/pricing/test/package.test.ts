import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'pricing-consumer-'));

/** Nothing of this workspace may help the plain project along. */
const environment = { PATH: process.env['PATH'], HOME: project, npm_config_cache: join(project, '.npm') };

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The packer that runs these tests when there is one: only pnpm applies `publishConfig`. */
function pnpm(args: readonly string[]): void {
  const executable = process.env['npm_execpath'] ?? '';
  const [command, first] = /pnpm[^/]*\.[cm]?js$/.test(executable)
    ? [process.execPath, [executable]]
    : executable.endsWith('pnpm')
      ? [executable, []]
      : ['npx', ['-y', 'pnpm@12']];
  execFileSync(command, [...first, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeAll(() => {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], root);
  pnpm(['pack', '--pack-destination', project]);
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? 'missing';
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], project);
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

test('the package holds only what was built: no source, no tests, no dependencies', () => {
  const installed = join(project, 'node_modules/@core/pricing');
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  expect(files).toContain('dist/index.js');
  expect(files).toContain('dist/index.d.ts');
  expect(files.filter((name) => /\.test|^src|testing|vectors/.test(name))).toEqual([]);
  const manifest: unknown = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } });
  expect(readdirSync(join(project, 'node_modules/@core'))).toEqual(['pricing']);
});

test('plain JavaScript uses it', () => {
  writeFileSync(
    join(project, 'use.js'),
    `import { formatUsd, leverageBps, snapQuote, toUsdPips, usdPips } from '@core/pricing';
     const size = snapQuote({ notionalUsdPips: usdPips(1000000n), leverageBps: leverageBps(30000n) });
     console.log(formatUsd(toUsdPips(size.collateralUsdcUnits, 'down')), size.notionalUsdcUnits);`,
  );
  expect(run(process.execPath, ['use.js'], project)).toBe('33.3333 100000002n\n');
});

test('TypeScript type-checks against it, and still refuses mixed kinds', () => {
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(
    join(project, 'src/use.ts'),
    `import { add, leverageBps, type SnappedSize, snapQuote, usdcUnits, usdPips } from '@core/pricing';
     export const size: SnappedSize = snapQuote({ notionalUsdPips: usdPips(1n), leverageBps: leverageBps(30000n) });
     export const more = add(size.collateralUsdcUnits, usdcUnits(1n));
     // @ts-expect-error pips and units do not mix
     export const mixed = add(usdPips(1n), usdcUnits(1n));`,
  );
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        moduleResolution: 'nodenext',
        target: 'es2022',
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types: [],
      },
      include: ['src'],
    }),
  );
  expect(run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], project)).toBe('');
});
