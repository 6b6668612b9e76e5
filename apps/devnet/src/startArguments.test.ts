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
const entry = fileURLToPath(new URL('../start.mjs', import.meta.url));

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
    for (const option of ['--fresh', '--help']) {
      const line = help.split('\n').find((row) => row.trim().startsWith(option)) ?? '';
      expect(page).toContain(`| \`${option}\` | ${line.trim().slice(option.length).trim()} |`);
    }
  });

  test('an unknown option is named with those there are', () => {
    expect(parseStartArguments(['--fresh'])).toEqual({ isFresh: true, wantsHelp: false });
    expect(() => parseStartArguments(['--frseh'])).toThrow(
      '--frseh is no option of start, which knows --fresh, --help.',
    );
  });
});

/** Starts with arguments of Node in front, and gives what is said before anything is started. */
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

describe('what keeps a start from starting is one line with the fix', () => {
  test('an old Node', async () => {
    const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.1.0"})';
    expect(await refusalOf({}, ['--import', older])).toBe(
      '✖ Node 20.1.0 is too old: start with `npx -y pnpm@12 start`, which brings Node 24.',
    );
  });

  test('a DATABASE_URL at which nothing answers, and one that lets us not in', async () => {
    const taken = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const refused = await refusalOf({ DATABASE_URL: `postgres://lev:secret@127.0.0.1:${port}/x` });
    taken.close();
    const silent = await refusalOf({ DATABASE_URL: `postgres://lev:secret@127.0.0.1:${port}/x` });
    for (const line of [refused, silent]) {
      expect(line).toContain(`No PostgreSQL can be used at 127.0.0.1:${port}`);
      expect(line).toContain('leave DATABASE_URL out to use the embedded server.');
      expect(line).not.toContain('secret');
    }
    // Nothing was started for it.
    expect(existsSync(path.join(folder, 'chain'))).toBe(false);
  });

  test('a kept chain of another version, of other contracts, or of another seed', async () => {
    const kept = openStateFolder(path.join(folder, 'kept'));
    writeFileSync(kept.deployment, '{"id":"x"}');
    expect(() => readDeployed(kept.deployment)).toThrow('begin anew with `npx -y pnpm@12 start --fresh`');
    expect(await refusalOf({ LEV_STATE_DIR: kept.root })).toContain('of another version of this project');
    expect(() => checkContracts({ contractsHash: 'theirs' }, 'ours')).toThrow('not those of the kept chain');
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
    };
    writeChoices(kept, { portBase: null, ports, seed: '7' });
    expect([seedOf(kept, null), seedOf(kept, '7')]).toEqual(['7', '7']);
    expect(() => seedOf(kept, '8')).toThrow('The kept venue is of seed 7: leave LEV_SEED out');
  });
});
