import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settings, settingTexts } from './env.ts';
import { checkContracts, readDeployed } from './stack/deployment.ts';
import { seedOf, writeChoices } from './stack/state/choices.ts';
import { openStateFolder } from './stack/state/stateFolder.ts';
import { parseStartArguments, startHelp } from './startArguments.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../../../docs/local-stack.md', import.meta.url), 'utf8');
const entry = fileURLToPath(new URL('./main.ts', import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'arguments-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('options and settings', () => {
  test('are all in the help and in the page, with the same words', () => {
    const help = startHelp();
    expect(Object.keys(settingTexts)).toEqual(Object.keys(settings));
    for (const [name, { byDefault, text }] of Object.entries(settingTexts)) {
      expect(help).toContain(name);
      expect(page).toContain(`| \`${name}\` | ${byDefault} | ${text} |`);
    }
    for (const option of ['--fresh', '--route', '--pace', '--help']) {
      const line = help.split('\n').find((row) => row.trim().startsWith(option)) ?? '';
      expect(page.replaceAll('`', '')).toContain(`| ${option} | ${line.trim().slice(option.length).trim()} |`);
    }
  });

  test('names the options for an unknown one', () => {
    expect(parseStartArguments(['--fresh'])).toEqual({ isFresh: true, wantsHelp: false, route: null, paceSeconds: 0 });
    expect(parseStartArguments(['--', '--route', 'fill', '--pace', '2s'])).toEqual({
      isFresh: false,
      wantsHelp: false,
      route: 'fill',
      paceSeconds: 2,
    });
    for (const wrong of [['--pace'], ['--pace', '2'], ['--pace', '--fresh']]) {
      expect(() => parseStartArguments(wrong)).toThrow('--pace takes whole seconds up to 99, such as 2s.');
    }
    expect(() => parseStartArguments(['--route'])).toThrow('--route takes fill or direct.');
    expect(() => parseStartArguments(['--frseh'])).toThrow(
      '--frseh is no option of start. Options: --fresh, --route, --pace, --help.',
    );
  });
});

/** Start with Node arguments in front, and return the refusal before anything was started. */
async function refusalOf(
  environment: Readonly<Record<string, string>>,
  nodeArguments: readonly string[] = [],
): Promise<string> {
  const env = { ...process.env, LEV_STATE_DIR: folder, ...environment };
  const { code, stderr } = await run(process.execPath, [...nodeArguments, entry], { env }).then(
    () => ({ code: 0, stderr: '' }),
    (error: { readonly code: number; readonly stderr: string }) => error,
  );
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
  return stderr.trim();
}

describe('a refused start prints one line with the fix', () => {
  test('for an old Node', async () => {
    const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.1.0"})';
    expect(await refusalOf({}, ['--import', older])).toBe(
      '✖ Node 20.1.0 is too old: start with `npx -y pnpm@12 start`, which installs Node 24.',
    );
  });

  test('for a DATABASE_URL without a server, and for a refused login', async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const refusal = await refusalOf({ DATABASE_URL: `postgres://lev:secret@127.0.0.1:${port}/x` });
    server.close();
    const silent = await refusalOf({ DATABASE_URL: `postgres://lev:secret@127.0.0.1:${port}/x` });
    for (const line of [refusal, silent]) {
      expect(line).toContain(`No usable PostgreSQL at 127.0.0.1:${port}`);
      expect(line).toContain('unset it to use the embedded server.');
      expect(line).not.toContain('secret');
    }
    // Nothing was started for it.
    expect(existsSync(path.join(folder, 'chain'))).toBe(false);
  });

  test('for a stored chain of another version, other contracts or another seed', async () => {
    const stateFolder = openStateFolder(path.join(folder, 'stored'));
    writeFileSync(stateFolder.deployment, '{"id":"x"}');
    expect(() => readDeployed(stateFolder.deployment)).toThrow(
      'start from scratch with `npx -y pnpm@12 start --fresh`',
    );
    expect(await refusalOf({ LEV_STATE_DIR: stateFolder.root })).toContain(
      'belongs to another version of this project',
    );
    expect(() => checkContracts({ contractsHash: 'theirs' }, 'ours')).toThrow('differ from those of the stored chain');
    expect(() => checkContracts({ contractsHash: 'ours' }, 'ours')).not.toThrow();
    const ports = {
      postgres: 1,
      chain: 2,
      venue: 3,
      api: 4,
      priceSigner: 5,
      metrics: 6,
      keeperMetrics: 7,
      secondPriceSigner: 8,
      console: 9,
      fillerMetrics: 10,
    };
    writeChoices(stateFolder, { portBase: null, ports, seed: '7' });
    expect([seedOf(stateFolder, null), seedOf(stateFolder, '7')]).toEqual(['7', '7']);
    expect(() => seedOf(stateFolder, '8')).toThrow('The stored venue has seed 7: unset LEV_SEED');
  });
});
