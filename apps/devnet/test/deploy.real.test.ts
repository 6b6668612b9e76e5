import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  deployLocal,
  type LocalChain,
  type LocalDeployment,
  LocalDriver,
  startLocalChain,
} from '@core/contracts/local';
import { type LocalHolder, startAwsKms, startGcpKms, startWeb3Signer } from '@core/keys/testing';
import { startEmbeddedPostgres } from '@core/store';
import { steadyStart } from '@core/testkit';
import { VenueControl } from '@core/venue-sim/control';
import { entryOf, venueEnvironment, venueKeysText } from '@core/world';
import { encodeFunctionData, erc20Abi, parseEther, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Not the local chain's number, so that the programs treat it as a real chain. */
const chainId = 31_338;
const ports = 20_000 + (process.pid % 400) * 10;
const folder = mkdtempSync(path.join(tmpdir(), 'deploy-'));
const home = path.join(folder, 'lev');
const deploymentId = `test-${randomUUID()}`;
const venueUrl = `http://127.0.0.1:${ports}`;

let chain: LocalChain;
let venueChain: LocalDeployment;
let venue: ChildProcess;
/** Credentials of the holders of keys, as their clients find them. */
let holderEnvironment: Record<string, string> = {};
const holders: LocalHolder[] = [];
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;

beforeAll(async () => {
  // PostgreSQL runs as another user than root, who must be able to enter.
  chmodSync(folder, 0o755);
  [chain, postgres] = await Promise.all([
    startLocalChain({ chainId, initialDate: steadyStart() }),
    startEmbeddedPostgres({ dataDir: path.join(folder, 'pg'), isDisposable: true }),
  ]);
  // Only the venue's part of it is used: exchange, tokens and the money of traders.
  venueChain = await deployLocal({ rpcUrl: chain.rpcUrl });
  const keysFile = keyFileOf('venue-keys.json', venueKeysText(venueChain.roles));
  const ground = { rpcUrl: chain.rpcUrl, deployment: venueChain };
  venue = spawn(process.execPath, [entryOf('venue-sim')], {
    env: { ...process.env, ...venueEnvironment(ground, { keysFile, port: ports }) },
    stdio: 'ignore',
  });
});

afterAll(async () => {
  endPrograms();
  venue.kill('SIGKILL');
  await Promise.all(holders.map((holder) => holder.close()));
  await delay(500);
  await postgres.close();
  await chain.close();
  rmSync(folder, { recursive: true, force: true });
  rmSync(path.join(root, 'contracts/ignition/deployments', deploymentId), { recursive: true, force: true });
});

function endPrograms(): void {
  const pids = path.join(home, 'pids');
  for (const pid of existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n') : []) end(Number(pid));
  rmSync(pids, { force: true });
}

/** End a program that may have ended by itself. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (cause) {
    if (Reflect.get(Object(cause), 'code') !== 'ESRCH') throw cause;
  }
}

function keyFileOf(name: string, privateKey: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, privateKey, { mode: 0o600 });
  return file;
}

/** The first block of the page, with the values of this chain. */
function operatorEnvironment(): NodeJS.ProcessEnv {
  const { contracts, roles } = venueChain;
  return {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
    LEV_HOME: home,
    RPC_URL: chain.rpcUrl,
    CHAIN_ID: String(chainId),
    FINALITY_DEPTH: '0',
    DATABASE_URL_FILE: keyFileOf('database.url', `${postgres.databaseUrl}\n`),
    VENUE_URL: venueUrl,
    REFERENCE_URL: venueUrl,
    CLOCK_URL: venueUrl,
    VENUE_MARKET_SOCKET_URL: `${venueUrl.replace('http', 'ws')}/ws/market`,
    EXCHANGE: contracts.exchange,
    ORACLE: roles.oracle.address,
    PROPOSER: roles.owner.address,
    GUARDIAN: roles.guardian.address,
    TREASURY: roles.treasury.address,
    DEPLOYER_KEY_FILE: keyFileOf('deployer.key', roles.dave.privateKey),
    PROVIDER_KEY_FILE: keyFileOf('provider.key', roles.erin.privateKey),
    DEPLOYMENT_ID: deploymentId,
    POOL_ASSETS: '90000',
    PORT: String(ports + 1),
    METRICS_PORT: String(ports + 2),
    KEEPER_METRICS_PORT: String(ports + 3),
    FILLER_METRICS_PORT: String(ports + 6),
    SECOND_KEEPER_METRICS_PORT: String(ports + 7),
    SIGNER_PORTS: `${ports + 4} ${ports + 5} ${ports + 8}`,
    ...holderEnvironment,
  };
}

/** The commands of the page, a block per step. */
const blocks = [
  ...readFileSync(path.join(root, 'docs/operate/deploy.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm),
].map(([, block]) => block ?? '');

const variablesFile = path.join(folder, 'variables.sh');

/** Variables that belong to each shell. */
const shellOwn = '^declare -[a-z]*r|BASH|DIRSTACK|GROUPS|FUNCNAME|PIPESTATUS';

/** Run one block in the shell of the blocks before it: variables and functions are kept. */
async function runBlock(block: string): Promise<string> {
  const script = `set -euo pipefail; [ ! -f ${variablesFile} ] || . ${variablesFile} 2> /dev/null || true
    ${block}
    { declare -p | grep -vE '${shellOwn}'; declare -f; } > ${variablesFile}`;
  try {
    return (await execute('bash', ['-c', script], { cwd: root, env: operatorEnvironment() })).stdout;
  } catch (cause) {
    throw new Error(`${block}\n${Reflect.get(Object(cause), 'stdout')}\n${Reflect.get(Object(cause), 'stderr')}`, {
      cause,
    });
  }
}

/** The service asks to wait while a book or price is not there yet, or grew old on a busy machine. */
const asksToWait = /quote_\w+_stale|quote_market_not_ready|no market accepts positions/;

/** Time for which the service may ask to wait. */
const patienceMs = 240_000;

async function tradeOnce(): Promise<string> {
  const { alice } = venueChain.roles;
  const env = {
    ...process.env,
    LEV_API_URL: `http://127.0.0.1:${ports + 1}/v1/prediction-markets`,
    LEV_API_KEY: readFileSync(path.join(home, 'partner.key'), 'utf8').trim(),
    LEV_RPC_URL: chain.rpcUrl,
    LEV_PRIVATE_KEY: alice.privateKey,
  };
  const endMs = performance.now() + patienceMs;
  for (;;) {
    try {
      const program = path.join(root, 'examples/node-partner/src/main.ts');
      return (await execute(process.execPath, [program], { env })).stdout;
    } catch (cause) {
      const isTransient = asksToWait.test(String(Reflect.get(Object(cause), 'stderr')));
      if (!isTransient || performance.now() > endMs) throw cause;
      await delay(2_000);
    }
  }
}

/** Send coin and money to the account of a key, once it is made: what the page asks a person to do. */
async function pay(name: string, usdcUnits = 0n): Promise<void> {
  const file = path.join(home, `${name}.key`);
  if (!existsSync(file)) return;
  const { address } = privateKeyToAccount(readFileSync(file, 'utf8').trim() as `0x${string}`);
  const driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: venueChain });
  const params = [address, toHex(parseEther('100'))];
  await driver.rpc.client.request({ method: 'hardhat_setBalance' as never, params: params as never });
  const missing = usdcUnits - (await driver.usdcOf(address));
  if (missing <= 0n) return;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, missing] });
  await driver.rpc.send(venueChain.roles.carol, { to: venueChain.contracts.usdc, data });
}

async function pinMarkets(): Promise<void> {
  const control = new VenueControl(venueUrl);
  const response = await fetch(`${venueUrl}/markets?limit=100`);
  const markets = (await response.json()) as readonly { slug: string; endDate: string }[];
  // A market that ends within the hour may end meanwhile.
  const earliestMs = (await control.nowMs()) + 3_600_000;
  const lasting = markets.filter(({ endDate }) => Date.parse(endDate) > earliestMs);
  await control.pin(lasting.map(({ slug }) => slug));
}

const signerNames = ['price-signer-1', 'price-signer-2', 'price-signer-3'];

/** Largest cost of the deployment on the page. */
const deploymentGas = 40_000_000n;

async function gasSince(blockNumber: bigint): Promise<bigint> {
  const { client } = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: venueChain }).rpc;
  const head = await client.getBlockNumber();
  let gas = 0n;
  for (let number = blockNumber + 1n; number <= head; number += 1n) {
    gas += (await client.getBlock({ blockNumber: number })).gasUsed;
  }
  return gas;
}

test('deploy.md: its commands on an empty chain → a service that opens and closes a position', async () => {
  expect(blocks.length).toBeGreaterThan(6);
  let gas = 0n;
  for (const block of blocks.slice(0, -1)) {
    await runBlock(block);
    if (block.includes('ignition deploy')) {
      const deploymentBlock = (await runBlock('echo "$DEPLOYMENT_BLOCK"')).trim();
      gas = await gasSince(BigInt(deploymentBlock));
    }
    for (const name of ['keeper-1', 'keeper-2', ...signerNames]) await pay(name);
    await pay('filler', 10_000_000_000n);
  }
  expect(gas).toBeGreaterThan(deploymentGas / 2n);
  expect(gas).toBeLessThan(deploymentGas);
  expect(await runBlock(blocks.at(-1) ?? '')).toMatch(/all checks passed\n$/);
  await pinMarkets();
  const printed = await tradeOnce();
  expect(printed).toMatch(/^opened {5}pos_/m);
  expect(printed).toMatch(/^closed +[\d.]+ USD came back$/m);
});

/** Take a key off this machine: return it, and remove its file. */
function takenKey(name: string): `0x${string}` {
  const file = path.join(home, `${name}.key`);
  const key = readFileSync(file, 'utf8').trim() as `0x${string}`;
  rmSync(file);
  return key;
}

test('keys.md, images.md: built programs with every key of the service at a holder → a position opens and closes', async () => {
  endPrograms();
  const version = 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1';
  const [quotes, first, second, third, keeper] = await Promise.all([
    startAwsKms(takenKey('quote-signer'), 'alias/quotes'),
    startAwsKms(takenKey('price-signer-1'), 'alias/prices'),
    startGcpKms(takenKey('price-signer-2'), version),
    startWeb3Signer(takenKey('price-signer-3')),
    startWeb3Signer(takenKey('keeper-1')),
  ]);
  holders.push(quotes, first, second, third, keeper);
  holderEnvironment = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id-of-a-test',
    AWS_SECRET_ACCESS_KEY: 'secret-of-a-test',
    GCE_METADATA_HOST: new URL(second.url).host,
    METADATA_SERVER_DETECTION: 'assume-present',
  };
  await runBlock(`
    sed -i '/^QUOTE_SIGNER_KEY_FILE=/d; /^KEEPER_KEY_FILE=/d' "$LEV_HOME/lev.env"
    cat >> "$LEV_HOME/lev.env" <<ENV
QUOTE_SIGNER_KEY_URL='awskms:///alias/quotes?endpoint=${quotes.url}'
QUOTE_SIGNER_KEY_ADDRESS=$QUOTE_SIGNER
KEEPER_KEY_URL=web3signer+${keeper.url}
KEEPER_KEY_ADDRESS=$KEEPER_1
ENV
    unset QUOTE_SIGNER_KEY_FILE KEEPER_KEY_FILE
    set -a; . "$LEV_HOME/lev.env"; set +a`);
  const start = blocks.find((block) => block.includes('start keeper keeper-1')) ?? '';
  await runBlock(`
    places=(none 'awskms:///alias/prices?endpoint=${first.url}')
    places+=('gcpkms://${version}?endpoint=${second.url}' web3signer+${third.url})
    addresses=(none $PRICE_SIGNER_1 $PRICE_SIGNER_2 $PRICE_SIGNER_3)`);
  const remote = 'PRICE_SIGNER_KEY_URL=${places[signer]} PRICE_SIGNER_KEY_ADDRESS=${addresses[signer]}';
  const programs = path.join(folder, 'programs');
  await execute(process.execPath, [path.join(root, 'tools/images/buildPrograms.ts'), programs]);
  await runBlock(
    start
      .replace(/PRICE_SIGNER_KEY_FILE=\S+/, () => remote)
      .replace('KEEPER_KEY_FILE=', 'KEEPER_KEY_URL= KEEPER_KEY_ADDRESS= KEEPER_KEY_FILE=')
      .replace('"apps/$1/src/main.ts"', `"${programs}/$1/bin/program/main.mjs"`),
  );
  expect(await runBlock(blocks.at(-1) ?? '')).toMatch(/all checks passed\n$/);
  const printed = await tradeOnce();
  expect(printed).toMatch(/^closed +[\d.]+ USD came back$/m);
  expect(holders.every(({ requests }) => requests.length > 1)).toBe(true);
});
