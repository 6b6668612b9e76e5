import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { giveBrowserWallet } from '@core/console/testing';
import type { StackFile } from '@core/devnet/stack-file';
import { RunningStack } from '@core/devnet/testing';
import { launchBrowser } from '@core/testkit/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { steadyMarkets } from '../testing/steadyMarkets.ts';
import { golden, Terminal } from '../testing/terminal.ts';

const execute = promisify(execFile);
const starts = 10;
const pauseMs = 2_000;

/** What the service says of a market whose book or price is not there yet, or grew old on a busy machine. */
const asksToWait = /quote_\w+_stale|quote_market_not_ready/;

/** Output of a program; it is started again while the service asks to wait. */
async function run(command: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  for (let start = 1; ; start += 1) {
    try {
      return (await execute(command, [...words], { env })).stdout;
    } catch (cause) {
      if (start === starts || !asksToWait.test(String(Reflect.get(Object(cause), 'stderr')))) throw cause;
      await setTimeout(pauseMs);
    }
  }
}

const stack = new RunningStack();
// Inside the room, so that the program finds the packages it imports.
const folder = mkdtempSync(fileURLToPath(new URL('../.guide-', import.meta.url)));
let file: StackFile;

beforeAll(async () => {
  file = await stack.start();
  await steadyMarkets(new Terminal({ LEV_STATE_DIR: stack.stateDir }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stack.remove();
});

const pageOf = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8');

/** The blocks of a language in their order. */
function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((found) => found[1] ?? '');
}

/** What the page says its blocks print: numbers and IDs that differ are replaced on both sides. */
const printedBy = (text: string): string => blocksOf(text, 'text').join('');

function accountOf(name: string): StackFile['accounts'][number] {
  const account = file.accounts.find((known) => known.name === name);
  if (account === undefined) throw new Error(`the stack has no ${name}`);
  return account;
}

/** The variables that the pages name. A wallet has one quote a second, so each program has an account of its own. */
function environmentOf(name: string): NodeJS.ProcessEnv {
  const account = accountOf(name);
  return {
    ...process.env,
    LEV_API_URL: file.apiUrl,
    LEV_API_KEY: file.partner.apiKey,
    LEV_RPC_URL: file.rpcUrl,
    LEV_VAULT: file.contracts.vault,
    LEV_PRIVATE_KEY: account.privateKey,
    LEV_WALLET: account.address,
    NO_COLOR: '1',
  };
}

/** Output of the TypeScript blocks of a text as one program. */
async function printedByProgram(text: string, account: string): Promise<string> {
  const program = path.join(folder, `${account}.ts`);
  writeFileSync(program, blocksOf(text, 'ts').join('\n'));
  return golden(await run(process.execPath, [program], environmentOf(account)));
}

test('the blocks of the client run as one program and print what the page shows', async () => {
  const [part = ''] = pageOf('integrate.md').split('## With curl');
  expect(await printedByProgram(part, 'alice')).toBe(golden(printedBy(part)));
});

test('the blocks of curl run as one script and print what the page shows', async () => {
  const [, part = ''] = pageOf('integrate.md').split('## With curl');
  const script = blocksOf(part, 'sh').join('\n');
  expect(await run('bash', ['-euo', 'pipefail', '-c', script], environmentOf('bob'))).toBe(printedBy(part));
});

test('the blocks of the guide to the vault run as one program and print what the page shows', async () => {
  const page = pageOf('vault.md');
  expect(await printedByProgram(page, 'carol')).toBe(golden(printedBy(page)));
});

describe('examples', () => {
  const programOf = (name: string): string =>
    fileURLToPath(new URL(`../../../examples/${name}/src/main.ts`, import.meta.url));

  test("a partner's back end quotes, verifies, opens, follows and closes", async () => {
    const printed = await run(process.execPath, [programOf('node-partner')], environmentOf('dave'));
    const lines = golden(printed).split('\n');
    for (const said of ['quote  verified, good until <time>', 'opened  pos_…', 'closed  # USD came back']) {
      expect(lines).toContain(said);
    }
    const events = lines.filter((line) => line.startsWith('event  '));
    expect(events.at(-1)).toBe('event  position.closed');
    expect(events).toContain('event  position.opened');
  });

  test('a page shows a ticket, opens its position with the wallet of the browser, and closes it', async () => {
    const env = { ...process.env, LEV_STATE_DIR: stack.stateDir, PORT: '0' };
    const server = spawn(process.execPath, [programOf('browser-ticket')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const browser = await launchBrowser();
    try {
      const [printed] = (await once(server.stdout, 'data')) as [Buffer];
      const url = printed.toString().trim();
      const page = await browser.newPage();
      page.setDefaultTimeout(200_000);
      await giveBrowserWallet(page, { rpcUrl: file.rpcUrl, account: accountOf('erin') });
      await page.goto(url);
      const press = (name: string): Promise<void> => page.getByRole('button', { name }).click();
      await press('Connect a wallet');
      await press('Show the ticket');
      await page.getByText('A win pays').waitFor();
      expect(golden((await page.locator('#ticket dd').allTextContents()).join(' '))).toMatch(
        /^(YES|NO) (\$(#|\d+) ){5}(#|\d+) % (\$(#|\d+) ?){3}$/,
      );
      await press('Open this position');
      await page.getByText('Position open.').waitFor();
      await press('Close it');
      await page.getByText('Position closed.').waitFor();
      for (const path of ['/', '/page.js', '/config.json']) {
        expect(await (await fetch(`${url}${path}`)).text()).not.toContain(file.partner.apiKey);
      }
      const stolen = { method: 'POST', body: JSON.stringify({ address: accountOf('alice').address, signature: '0x' }) };
      expect((await fetch(`${url}/token`, stolen)).status).toBe(401);
    } finally {
      await browser.close();
      server.kill();
    }
  });
});
