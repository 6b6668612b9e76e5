import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { giveBrowserWallet } from '@core/console/testing';
import type { StackFile } from '@core/devnet/stack-file';
import { RunningStack } from '@core/devnet/testing';
import { Lev, type Position } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ListedMarket, quotedMarkets, sideOf } from '../testing/steadyMarkets.ts';
import { golden, Terminal } from '../testing/terminal.ts';

const execute = promisify(execFile);
const maximumStarts = 10;
const pauseMs = 2_000;

/** Error codes of a market without a current book or price, as on a busy machine. */
const transientCodes = /quote_\w+_stale|quote_market_not_ready/;

/** Run a program and return its output; a transient error code starts it again. */
async function run(command: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  for (let start = 1; ; start += 1) {
    try {
      return (await execute(command, [...words], { env })).stdout;
    } catch (cause) {
      const { stdout, stderr } = Object(cause) as Readonly<Record<'stdout' | 'stderr', string>>;
      if (start === maximumStarts || !transientCodes.test(stderr)) throw new Error(`${stdout}\n${stderr}`, { cause });
      await setTimeout(pauseMs);
    }
  }
}

const stack = new RunningStack();
// Inside the package, so that the program finds the packages it imports.
const folder = mkdtempSync(fileURLToPath(new URL('../.guide-', import.meta.url)));
let file: StackFile;

beforeAll(async () => {
  file = await stack.start();
  await quotedMarkets(new Terminal({ LEV_STATE_DIR: stack.stateDir }), stack.file().venueUrl);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stack.remove();
});

const pageOf = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8');

/** Return the code blocks of a language in order. */
function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((found) => found[1] ?? '');
}

/** Return the output that a page documents for its blocks. */
const printedBy = (text: string): string => blocksOf(text, 'text').join('');

function accountOf(name: string): StackFile['accounts'][number] {
  const account = file.accounts.find((candidate) => candidate.name === name);
  if (account === undefined) throw new Error(`the stack has no account ${name}`);
  return account;
}

/** Return the variables that the pages use. A wallet gets one quote a second, so each program has its own account. */
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

/** Run the TypeScript blocks of a text as one program and return its output. */
async function printedByProgram(text: string, account: string): Promise<string> {
  const program = path.join(folder, `${account}.ts`);
  writeFileSync(program, blocksOf(text, 'ts').join('\n'));
  return golden(await run(process.execPath, [program], environmentOf(account)));
}

test('the blocks of the client run as one program and print what the page shows', async () => {
  const [part = ''] = pageOf('integrate.md').split('## With curl');
  expect(await printedByProgram(part, 'alice')).toBe(golden(printedBy(part)));
});

describe('the guide in an empty folder', () => {
  const project = mkdtempSync(path.join(tmpdir(), 'guide-'));
  const repository = fileURLToPath(new URL('../../../', import.meta.url));
  const tarballs = path.join(project, 'packed');
  const shell = (script: string, options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv }) =>
    execute('bash', ['-euo', 'pipefail', '-c', script], { maxBuffer: 2 ** 26, ...options });
  const [part = ''] = pageOf('integrate.md').split('## With curl');

  beforeAll(async () => {
    const [packing = ''] = blocksOf(pageOf('packages.md'), '');
    await shell(`${packing.trimEnd()} ${tarballs}`, { cwd: repository });
    const [init = '', installing = ''] = blocksOf(part, '');
    const folderOfGuide = path.join(project, 'guide');
    mkdirSync(folderOfGuide);
    symlinkSync(tarballs, path.join(folderOfGuide, 'tarballs'));
    const [start = ''] = init.split('\n');
    await shell(`${start}\n${installing}`, { cwd: folderOfGuide });
    writeFileSync(path.join(folderOfGuide, 'guide.ts'), blocksOf(part, 'ts').join('\n'));
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  test.each([
    ['20', 'dave', 'npx -y tsx guide.ts'],
    ['22', 'erin', 'node guide.ts'],
  ])('Node %s: runs as the page says and prints what it shows', async (version, account, command) => {
    const { stdout: node } = await shell(`npx -y -p node@${version} which node`, { cwd: project });
    const env = { ...environmentOf(account), PATH: `${path.dirname(node.trim())}:${process.env['PATH']}` };
    const script = `cd ${path.join(project, 'guide')} && ${command}`;
    const { stdout: running } = await shell('node --version', { cwd: project, env });
    expect(running).toMatch(new RegExp(`^v${version}\\.`));
    expect(golden(await run('bash', ['-euo', 'pipefail', '-c', script], env))).toBe(golden(printedBy(part)));
  });
});

test('the blocks of curl run as one script and print what the page shows', async () => {
  const [, part = ''] = pageOf('integrate.md').split('## With curl');
  const script = blocksOf(part, 'sh').join('\n');
  expect(await run('bash', ['-euo', 'pipefail', '-c', script], environmentOf('bob'))).toBe(printedBy(part));
});

describe('the program of the page about streams', () => {
  const cursorFile = path.join(folder, 'cursor.txt');

  /** Start the program. The lines that it prints are added to `lines`. */
  function startReader(lines: string[]): ChildProcess {
    const program = path.join(folder, 'reader.ts');
    writeFileSync(program, blocksOf(pageOf('streams.md'), 'ts').join('\n'));
    const env = { ...environmentOf('bob'), CURSOR_FILE: cursorFile };
    const reader = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface({ input: reader.stdout }).on('line', (line) => lines.push(line));
    return reader;
  }
  const untilPrinted = (lines: readonly string[], begin: string): Promise<void> =>
    vi.waitFor(() => expect(lines.some((line) => line.startsWith(begin))).toBe(true), { timeout: 60_000 });
  const kill = async (reader: ChildProcess): Promise<void> => {
    reader.kill('SIGKILL');
    await once(reader, 'close');
  };

  /** Return the IDs of the events after a cursor, up to the end of a position. */
  async function idsAfter(cursor: string, key: string): Promise<readonly string[]> {
    const lev = new Lev({ baseUrl: file.apiUrl, apiKey: file.partner.apiKey });
    const ids: string[] = [];
    for await (const event of lev.events.stream({ after: cursor })) {
      if ('id' in event) ids.push(event.id);
      if (event.type === 'position.closed' && event.data.on_chain_position_key === key) break;
    }
    return ids;
  }

  test('killed between two events: continues after its cursor, and no event is missing', async () => {
    const terminal = new Terminal({ LEV_STATE_DIR: stack.stateDir });
    const [market] = (await terminal.json('markets', '--limit', '1')).document as readonly [ListedMarket];
    const words = ['open', market.ticker, '--side', sideOf(market), '--notional', '40', '--as', 'bob'];
    const position = (await terminal.lines(...words)).at(-1)?.['result'] as Position;
    const sell = ['close', position.id, '--min-price', '0.01', '--as', 'bob'];
    const before: string[] = [];
    const later: string[] = [];
    let reader = startReader(before);
    try {
      await untilPrinted(before, 'snapshot ');
      await vi.waitFor(() => expect(existsSync(cursorFile)).toBe(true));
      const cursor = readFileSync(cursorFile, 'utf8');
      expect((await terminal.run(...sell, '--tokens', '20')).code).toBe(0);
      await untilPrinted(before, 'position.partial_closed ');
      await kill(reader);
      expect((await terminal.run(...sell)).code).toBe(0);
      reader = startReader(later);
      await untilPrinted(later, 'position.closed ');
      await kill(reader);
      const printed = [...before.slice(1), ...later].map((line) => line.split(' ')[1] ?? '');
      const ids = await idsAfter(cursor, position.on_chain_position_key);
      expect([...new Set(printed)].slice(0, ids.length)).toEqual(ids);
      // Only the event at the kill may be printed twice.
      expect(printed.length - new Set(printed).size).toBeLessThanOrEqual(1);
    } finally {
      reader.kill('SIGKILL');
    }
  });
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
    for (const line of ['quote  verified, good until <time>', 'opened  pos_…', 'closed  # USD came back']) {
      expect(lines).toContain(line);
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
      await page.getByText('Payout if you win').waitFor();
      expect(golden((await page.locator('#ticket dd').allTextContents()).join(' '))).toMatch(
        /^(YES|NO) (\$(#|\d+) ){4}(not measured|-?(#|\d+) %) (#|\d+) % (\$(#|\d+) ?){3}$/,
      );
      await press('Open this position');
      await page.getByText('Position open.').waitFor();
      await press('Close it');
      await page.getByText('Position closed.').waitFor();
      for (const path of ['/', '/page.js', '/config.json']) {
        expect(await (await fetch(`${url}${path}`)).text()).not.toContain(file.partner.apiKey);
      }
      const forgery = {
        method: 'POST',
        body: JSON.stringify({ address: accountOf('alice').address, signature: '0x' }),
      };
      expect((await fetch(`${url}/token`, forgery)).status).toBe(401);
    } finally {
      await browser.close();
      server.kill();
    }
  });
});
