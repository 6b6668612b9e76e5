import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/**
 * Replacement of pnpm, which would download: records its calls and leaves the files of an installation. Fails when
 * `FAILS` is set.
 */
const pnpm = `#!${process.execPath}
const { appendFileSync, mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync('calls', args.join(' ') + '\\n');
if (process.env.HANGS) { writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000); return; }
if (process.env.FAILS) { process.stdout.write('no route to the registry\\n'); process.exit(1); }
mkdirSync('node_modules', { recursive: true });
if (args[0] === 'install') {
  writeFileSync('node_modules/.modules.yaml', JSON.stringify({ devDependencies: !args.includes('--prod') }, null, 1));
  process.stdout.write('Progress: resolved 7, reused 2, downloaded 5, added 7, done\\n');
}
if (args[0] === 'add') {
  const bin = args[args.indexOf('--dir') + 1] + '/node_modules/.bin';
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, bin + '/node');
}
if (args.includes('gen')) {
  mkdirSync('packages/store/src/generated/prisma', { recursive: true });
  writeFileSync('packages/store/src/generated/prisma/client.ts', '');
}
`;

/** Makes Node report an old version. */
const olderNode = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.1.0"})';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'launch-'));
  for (const folder of ['tools/run', 'packages/store/prisma']) mkdirSync(path.join(root, folder), { recursive: true });
  copyFileSync(new URL('./launch.mjs', import.meta.url), path.join(root, 'tools/run/launch.mjs'));
  write('pnpm', pnpm);
  chmodSync(path.join(root, 'pnpm'), 0o755);
  write('pnpm-lock.yaml', 'packages: 1\n');
  write('pnpm-workspace.yaml', 'nodeVersion: 24.21.0\n');
  write('packages/store/prisma/schema.prisma', 'model A {}\n');
  write(
    'program.mjs',
    "process.stdout.write(JSON.stringify(process.argv.slice(2)) + (process.versions.node.startsWith('20.') ? ' old' : ''));\nprocess.exitCode = 7;\n",
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(path.join(root, name), text);

/** Environment of a script that pnpm runs. */
const pnpmEnvironment = () => ({
  PATH: process.env['PATH'],
  npm_config_user_agent: 'pnpm/12.21.0 npm/? node/? linux x64',
  npm_execpath: path.join(root, 'pnpm'),
});

interface Surroundings {
  readonly isOld?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

function launch(needs: 'start' | 'all', { isOld = false, environment = {} }: Surroundings = {}) {
  const options = isOld ? ['--import', olderNode] : [];
  const args = [...options, path.join(root, 'tools/run/launch.mjs'), needs, 'program.mjs', '--fresh', 'two words'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...pnpmEnvironment(), ...environment },
  });
  const file = path.join(root, 'calls');
  const calls = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(file, { force: true });
  return { status, stdout, stderr, calls };
}

const installStart = 'install --prod --frozen-lockfile --trust-lockfile --filter @core/devnet... --filter @core/lev...';
const generate = '--filter @core/store run gen';

describe('launch', () => {
  test('installs the packages of a start into an empty folder and runs the program with arguments and exit code', () => {
    const first = launch('start');
    expect(first.calls).toEqual([installStart, generate]);
    expect(first.stderr).toMatch(/✔ Packages +\d+\.\d s {2}7 of 7 packages\n {2}✔ Database client +\d+\.\d s\n/);
    expect([first.stdout, first.status]).toEqual(['["--fresh","two words"]', 7]);
  });

  test('installs Node 24 beside the packages for an older Node and runs the program', () => {
    const first = launch('start', { isOld: true });
    const name = `node(-bin)?-${process.platform}-${process.arch}`;
    expect(first.calls.toSorted()[1]).toMatch(new RegExp(`^add --dir .* --ignore-workspace ${name}@24\\.21\\.0$`));
    expect(first.calls).toContain(installStart);
    expect([first.stdout, first.status]).toEqual(['["--fresh","two words"]', 7]);
    expect(launch('start', { isOld: true })).toMatchObject({ calls: [], status: 7, stderr: '' });
  });

  test.each([{ isOld: false }, { isOld: true }])(
    'keeps compiled modules for the program and its children: %o',
    (node) => {
      write('program.mjs', 'process.stdout.write(process.env.NODE_COMPILE_CACHE);\n');
      expect(launch('start', node).stdout).toBe(path.join(root, 'node_modules/.cache/node-compile'));
      expect(launch('start', { ...node, environment: { NODE_COMPILE_CACHE: '/own' } }).stdout).toBe('/own');
    },
  );

  test('reuses an installation, and updates what a changed lockfile or schema affects', () => {
    launch('start');
    expect(launch('start').calls).toEqual([]);
    write('pnpm-lock.yaml', 'packages: 2\n');
    expect(launch('start').calls).toEqual([installStart]);
    write('packages/store/prisma/schema.prisma', 'model B {}\n');
    expect(launch('start').calls).toEqual([generate]);
  });

  test('lets pnpm compare a complete installation, which no start removes', () => {
    launch('start');
    expect(launch('all').calls).toEqual(['install']);
    expect(launch('start').calls).toEqual(['install']);
  });

  test('prints the last lines of a failed installation, and retries at the next start', () => {
    const failed = launch('start', { environment: { FAILS: '1' } });
    expect(failed).toMatchObject({ status: 1, stdout: '', calls: [installStart] });
    expect(failed.stderr).toMatch(/✖ Packages .* failed:\nno route to the registry\n$/);
    expect(launch('start').calls).toEqual([installStart, generate]);
  });

  test('ends the installation of a killed start', async () => {
    const launcher = spawn(process.execPath, [path.join(root, 'tools/run/launch.mjs'), 'start', 'program.mjs'], {
      env: { ...pnpmEnvironment(), HANGS: '1' },
      stdio: 'ignore',
    });
    const pidFile = path.join(root, 'pid');
    const pnpmPid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0);
    await expect.poll(pnpmPid, { timeout: 30_000 }).toBeGreaterThan(0);
    launcher.kill('SIGTERM');
    const isAlive = () => {
      try {
        return process.kill(pnpmPid(), 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive, { timeout: 30_000 }).toBe(false);
  });

  test('installs with the pnpm of npx when the running one is too old', () => {
    mkdirSync(path.join(root, 'bin'));
    write('bin/npx', '#!/bin/sh\necho "npx $*" >> calls\nexit 1\n');
    chmodSync(path.join(root, 'bin/npx'), 0o755);
    const environment = {
      PATH: `${path.join(root, 'bin')}:${process.env['PATH']}`,
      npm_config_user_agent: 'pnpm/9.1.0',
    };
    expect(launch('all', { environment })).toMatchObject({ status: 1, calls: ['npx -y pnpm@12 install'] });
  });
});
