import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnv as readApi } from '@core/api';
import { localRoles } from '@core/contracts/local';
import { configOfEnv as readFiller } from '@core/filler';
import { configOfEnv as readKeeper } from '@core/keeper';
import { readEnv as readSigner } from '@core/price-signer';
import { coinNeedsOf, defaultMaxFeeGwei, type Environment } from '@core/runtime';
import { type Address, parseEther, parseUnits } from 'viem';
import { afterAll, expect, test } from 'vitest';
import { choosePorts } from '../src/stack/ports.ts';
import {
  apiProgram,
  fillerProgram,
  type GroundedPlan,
  keeperProgram,
  priceSignerPrograms,
} from '../src/stack/programs.ts';
import { openSecrets } from '../src/stack/state/secrets.ts';
import { openStateFolder } from '../src/stack/state/stateFolder.ts';
import { parseStartArguments } from '../src/startArguments.ts';

const root = mkdtempSync(path.join(tmpdir(), 'settings-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const page = readFileSync(new URL('../../../docs/operate/deploy.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```(?:sh)?\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
const blockWith = (text: string): string => blocks.find((block) => block.includes(text)) ?? '';

const secretIn = /^(DATABASE_URL|PRICE_SIGNER_SECRETS?)_FILE$/;

/** Settings that the page gives to the programs: those of its file, of the real venue, and a price signer's own. */
function deploymentEnvironment(): Environment {
  const vaultSettings = ['VAULT_ADDRESS', 'POOL_ADDRESS', 'USDC_ADDRESS', 'EXCHANGE_ADDRESS'];
  const vault = [...vaultSettings, 'CONDITIONAL_TOKENS_ADDRESS'].map((name) => `${name}=0x`).join('\n');
  const script = `operate() { echo "${vault}"; }
    ${blockWith('export LEV_HOME').replaceAll('…', 'example.com')}
    export LEV_HOME=${root}
    ${blockWith('lev.env')}`;
  execFileSync('bash', ['--norc', '-c', script], { env: { PATH: process.env['PATH'] } });
  const [, venue = ''] = /write `(VENUE_PROFILE=\w+)`/.exec(page) ?? [];
  const [, own = ''] = /^ +(PRICE_SIGNER_PORT[\s\S]*?) start price-signer/m.exec(page) ?? [];
  const lines = [readFileSync(path.join(root, 'lev.env'), 'utf8'), venue, own].join('\n');
  // A deployment has secrets in files, under the name of the setting with an end of its own.
  return Object.fromEntries(
    [...lines.matchAll(/(\w+)=(\S*)/g)].map(([, name = '', value]) => [secretIn.exec(name)?.[1] ?? name, value]),
  );
}

/** Plan of a `start` without options. */
async function planOfStart(): Promise<GroundedPlan> {
  const folder = openStateFolder(root);
  const { makers, takers, fillers, ...others } = localRoles();
  const roles = { ...others, makers: [...makers], takers: [...takers], fillers: [...fillers] };
  const { address, privateKey } = roles.keeper;
  for (const file of [folder.quoteSignerKey, folder.keeperKey, folder.fillerKey, ...folder.priceSignerKeys]) {
    writeFileSync(file, privateKey);
  }
  const names = ['vault', 'pool', 'usdc', 'conditionalTokens', 'exchange', 'pairFiller'] as const;
  const contracts = Object.fromEntries(names.map((name) => [name, address])) as Record<(typeof names)[number], Address>;
  const venueDomain = { name: 'Venue Exchange', version: '2' };
  return {
    folder,
    ports: (await choosePorts(null)).ports,
    secrets: openSecrets(folder),
    seed: '42',
    route: 'fill',
    paceSeconds: parseStartArguments([]).paceSeconds,
    startTime: null,
    chainKey: 'chain',
    deployment: { chainId: 31_337, deploymentBlock: '1', contracts, venueDomain, roles },
    databaseUrl: 'postgres://127.0.0.1/lev',
  };
}

/** Names of what each service has of its own. */
const isOwn = (name: string): boolean =>
  /(_URLS?|_ADDRESS(ES)?|_FILE|_JOURNAL|_SECRETS?|PORT|CHAIN_ID|DEPLOYMENT_BLOCK)$/.test(name);

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));

/** Return the settings whose value in a deployment changes what a program of `start` reads. */
function differencesOf(read: (environment: Environment) => unknown, start: Environment, deployment: Environment) {
  return [...new Set([...Object.keys(start), ...Object.keys(deployment)])]
    .filter((name) => !(isOwn(name) && name in start && name in deployment))
    .filter((name) => {
      const changed = { ...start, [name]: deployment[name] };
      return textOf(read(changed)) !== textOf(read(start));
    })
    .map((name) => {
      const cellOf = (text = 'not set'): string => (isOwn(name) && text !== 'not set' ? 'set' : text);
      return [name, cellOf(start[name]), cellOf(deployment[name])].join(' | ');
    });
}

test('deploy.md: its table has every setting that differs from `start`, and no other', async () => {
  const plan = await planOfStart();
  const deployment = deploymentEnvironment();
  const [signer] = priceSignerPrograms(plan);
  const differences = [
    differencesOf(readApi, apiProgram(plan).environment, deployment),
    differencesOf(readKeeper, keeperProgram(plan).environment, deployment),
    differencesOf(readFiller, fillerProgram(plan).environment, deployment),
    differencesOf(readSigner, signer?.environment ?? {}, deployment),
  ].flat();
  const rows = [...page.matchAll(/^\| (`[A-Z_]+` \| .*) \| .+ \|$/gm)].map(([, row = '']) => row.replaceAll('`', ''));
  expect(rows.toSorted()).toEqual([...new Set(differences)].toSorted());
});

test('deploy.md: the wait for the API ends, and says what is missing', () => {
  const [, wait = ''] = /^(ready\(\) \{[\s\S]*?)^```/m.exec(page) ?? [];
  const home = path.join(root, 'unready');
  mkdirSync(path.join(home, 'logs'), { recursive: true });
  writeFileSync(path.join(home, 'logs/api.log'), 'RPC_URL is missing\n');
  const script = `sleep() { :; }; curl() { [ "$1" = -s ] && echo '{"missing":["chain"]}'; }; LEV_HOME=${home} PORT=1; ${wait}`;
  const { status, stdout } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^not ready after three minutes:\n\{"missing":\["chain"\]\}\n/);
  expect(stdout).toContain('RPC_URL is missing');
});

test('deploy.md: coin and USDC of its table are those of the programs', async () => {
  const [, keeperCoin = ''] = /^\| each keeper \| (\d+):/m.exec(page) ?? [];
  expect(coinNeedsOf(BigInt(defaultMaxFeeGwei) * 10n ** 9n).reserveWei).toBe(parseEther(keeperCoin));
  const [, float = ''] = /^\| filler \| .* \| ([\d,]+), /m.exec(page) ?? [];
  expect(readFiller(fillerProgram(await planOfStart()).environment).config.floatUsdcUnits).toBe(
    parseUnits(float.replace(',', ''), 6),
  );
  const [, provided = ''] = /^\| provider \| .* \| ([\d,]+):/m.exec(page) ?? [];
  const [, assets = '', reserve = ''] = /POOL_ASSETS:-(\d+).*POOL_RESERVE:-(\d+)/.exec(page) ?? [];
  expect(BigInt(provided.replace(',', ''))).toBe(BigInt(assets) + BigInt(reserve));
});
