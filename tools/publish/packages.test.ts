import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../tidy/workspace.ts';
import { PackageRegistry } from './packageRegistry.ts';
import { PlainProject } from './plainProject.ts';
import { pageAnswer, pageProgram, plainAnswer, plainJavaScript, plainTypeScript } from './programs.ts';
import { publicNameOf, publicScope, publishedPackages } from './published.ts';
import { pageHosts, runInBrowser } from './runInBrowser.ts';

const folder = await mkdtemp(join(tmpdir(), 'published-packages-'));
const packages = publishedPackages().map(({ shortName }) => shortName);
let project: PlainProject;

beforeAll(async () => {
  project = await PlainProject.install(folder);
  project.write('use.js', plainJavaScript);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const installed = (name: string, path = ''): string => join(project.folder, 'node_modules', publicScope, name, path);

test('packages: are all installed, under no name of the workspace', () => {
  expect(readdirSync(join(project.folder, 'node_modules', publicScope)).toSorted()).toEqual(packages);
  for (const name of packages) {
    const files = readdirSync(installed(name), { recursive: true, encoding: 'utf8' });
    expect(files.filter((path) => /\.test\.|^testing|vectors/.test(path) || /(?<!\.d)\.ts$/.test(path))).toEqual([]);
    const code = files.filter((path) => /\.(js|d\.ts)$/.test(path));
    expect(code.filter((path) => /from '@core\//.test(readFileSync(installed(name, path), 'utf8')))).toEqual([]);
  }
});

test('source maps: hold their source', () => {
  const map = JSON.parse(readFileSync(installed('pricing', 'size/snapQuote.js.map'), 'utf8')) as Record<
    string,
    string[]
  >;
  const source = readFileSync(join(repositoryRoot, 'packages/pricing/src/size/snapQuote.ts'), 'utf8');
  expect(map['sourcesContent']).toEqual([source]);
});

describe('plain JavaScript', () => {
  /** Further Node binaries, separated by colons. */
  const others = (process.env['PACKAGE_TEST_NODES'] ?? '').split(':').filter((path) => path !== '');
  for (const node of [process.execPath, ...others]) {
    test(`runs in ${node === process.execPath ? 'this Node' : node}`, async () => {
      expect(await project.run(node, ['use.js'])).toBe(`${plainAnswer}\n`);
    });
  }

  test('runs in a browser, bundled', async () => {
    const bundle = await build({
      stdin: { contents: plainJavaScript, resolveDir: project.folder },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
    });
    expect(await runInBrowser({ '/page.js': bundle.outputFiles[0]?.text ?? '' }, ['/page.js'])).toEqual([plainAnswer]);
  });

  test('sdk: calls the service and verifies a quote on a page without HTTPS', async () => {
    const bundle = await build({
      stdin: { contents: pageProgram, resolveDir: project.folder },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
    });
    const files = {
      '/page.js': bundle.outputFiles[0]?.text ?? '',
      '/v1/prediction-markets/tokens': JSON.stringify({ token: 'one' }),
    };
    expect(await runInBrowser(files, ['/page.js'], pageHosts.plain)).toEqual([pageAnswer]);
  });

  test('pricing: runs in a browser as installed', async () => {
    const names = readdirSync(installed('pricing'), { recursive: true, encoding: 'utf8' });
    const modules = names.filter((name) => name.endsWith('.js'));
    const files = modules.map(
      (name) => [`/pricing/${name}`, readFileSync(installed('pricing', name), 'utf8')] as const,
    );
    const page = `import { formatUsd, usdPips } from '/pricing/index.js'; console.log(formatUsd(usdPips(15000n)));`;
    expect(await runInBrowser(Object.fromEntries([...files, ['/page.js', page]]), ['/page.js'])).toEqual(['1.50']);
  });
});

describe('TypeScript, strict', () => {
  for (const [module, moduleResolution] of [
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ] as const) {
    test(`type-checks with ${moduleResolution}`, async () => {
      project.write('src/use.ts', plainTypeScript);
      const compilerOptions = { module, moduleResolution, target: 'es2022', strict: true, noEmit: true, types: [] };
      project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
      const tsc = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
      const answer = await project.run(process.execPath, [tsc, '-p', '.']).catch(String);
      // Declarations of other packages are not ours to correct.
      const complaints = answer.split('\n').filter((line) => /^src\/|^node_modules\//.test(line));
      expect(complaints).toEqual([]);
      expect(answer.includes(publicScope)).toBe(false);
    });
  }
});

test('release workflow: its line publishes every package', async () => {
  const workflow = readFileSync(join(repositoryRoot, '.github/workflows/release.yml'), 'utf8');
  const line = /- name: publish\n +run: (?<line>.*)/.exec(workflow)?.groups?.['line'] ?? 'missing';
  expect(line).toContain(' --provenance');
  const registry = await PackageRegistry.start();
  try {
    project.write('.npmrc', `registry=http://${registry.host}/\n//${registry.host}/:_authToken=any\n`);
    // Provenance comes from the server of the workflow alone.
    await project.run('bash', ['-e', '-c', `cd .. && ${line.replace('--provenance', '--provenance=false')}`]);
  } finally {
    project.write('.npmrc', '');
    await registry.close();
  }
  const versions = publishedPackages().map(({ manifest }) => `${publicNameOf(manifest.name)}@${manifest.version}`);
  expect(registry.published).toEqual(versions);
});

describe('the tarballs', () => {
  const program = (name: string): string => join(repositoryRoot, 'tools/node_modules/.bin', name);
  for (const name of packages) {
    test(`of ${name} are clean for publint and for are-the-types-wrong`, async () => {
      const tarball = project.tarballs.get(name) ?? 'missing';
      expect(await project.run(program('publint'), ['run', tarball, '--strict'])).toContain('All good');
      // CommonJS cannot require these packages, which is intended.
      expect(await project.run(program('attw'), [tarball, '--profile', 'esm-only'])).toContain('🟢 (ESM)');
    });
  }

  test('interfaces of the contracts: compile and import no other file', () => {
    const names = readdirSync(installed('vault', 'solidity'));
    expect(names).toContain('IVault.sol');
    const imported = names.flatMap((name) =>
      [...readFileSync(installed('vault', `solidity/${name}`), 'utf8').matchAll(/from "\.\/(?<file>[^"]+)"/g)].map(
        (match) => match.groups?.['file'] ?? '',
      ),
    );
    expect(imported.filter((name) => !names.includes(name))).toEqual([]);
    const abi = JSON.parse(readFileSync(installed('vault', 'abi/Vault.json'), 'utf8')) as { readonly name?: string }[];
    const declared = abi.map(({ name }) => name);
    expect(declared).toEqual(
      expect.arrayContaining(['createPosition', 'LiquidityExceeded', 'ERC20InsufficientBalance']),
    );
    const errors = JSON.parse(readFileSync(installed('vault', 'abi/errors.json'), 'utf8')) as Record<string, object>;
    expect(errors['0xef6d0f02']).toMatchObject({ name: 'NotGuardian' });
  });
});

test('pricing and sdk: stay small', async () => {
  const limits = { pricing: 10 * 1024, sdk: 31 * 1024 };
  for (const [name, maxBytes] of Object.entries(limits)) {
    if (!packages.includes(name)) continue;
    const bundle = await build({
      stdin: { contents: `export * from '${publicScope}/${name}';`, resolveDir: project.folder },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      external: ['viem', 'viem/*'],
    });
    const bytes = gzipSync(bundle.outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
    expect(bytes, `${name} in bytes`).toBeLessThanOrEqual(maxBytes);
  }
});
