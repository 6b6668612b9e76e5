import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deployLocal, type LocalAccount, type LocalDeployment, LocalRpc, startLocalChain } from '@core/contracts/local';
import { connectChain, FriendlyError } from '@core/runtime';
import { vaultAbi } from '@core/vault';
import {
  type Address,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  type PublicClient,
  parseAbi,
  zeroAddress,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate } from '../operate.ts';

const delaySeconds = 172_800;
const nodeRequire = createRequire(new URL('../../../../../contracts/package.json', import.meta.url));
const published = nodeRequire.resolve('@openzeppelin/contracts/build/contracts/TimelockController.json');
const timelockAbi = parseAbi([
  'constructor(uint256 minDelay, address[] proposers, address[] executors, address admin)',
  'function scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function executeBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt)',
  'function updateDelay(uint256 newDelay)',
]);

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let deployment: LocalDeployment;
let client: PublicClient;
let rpc: LocalRpc;
let timelock: Address;

beforeAll(async () => {
  chain = await startLocalChain();
  deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  client = await connectChain({ rpcUrl: chain.rpcUrl, chainId: deployment.chainId, timeoutMs: 10_000 });
  rpc = new LocalRpc(chain.rpcUrl, vaultAbi);
  timelock = await ownedByTimelock();
});
afterAll(() => chain.close());

/** Hand the vault to a timelock in which bob proposes and carol executes. */
async function ownedByTimelock(): Promise<Address> {
  const { owner, bob, carol } = deployment.roles;
  const { vault } = deployment.contracts;
  const { bytecode } = JSON.parse(readFileSync(published, 'utf8')) as { readonly bytecode: Hex };
  const args = [0n, [bob.address], [carol.address], zeroAddress] as const;
  const { contractAddress } = await rpc.send(owner, { data: encodeDeployData({ abi: timelockAbi, bytecode, args }) });
  const to = contractAddress ?? zeroAddress;
  const transfer = encodeFunctionData({ abi: vaultAbi, functionName: 'transferOwnership', args: [to] });
  await rpc.send(owner, { to: vault, data: transfer });
  const payloads = [
    encodeFunctionData({ abi: vaultAbi, functionName: 'acceptOwnership' }),
    encodeFunctionData({ abi: timelockAbi, functionName: 'updateDelay', args: [BigInt(delaySeconds)] }),
  ];
  const batch = [[vault, to], [0n, 0n], payloads, zeroHash, zeroHash] as const;
  const schedule = encodeFunctionData({ abi: timelockAbi, functionName: 'scheduleBatch', args: [...batch, 0n] });
  await rpc.send(bob, { to, data: schedule });
  await rpc.send(carol, {
    to,
    data: encodeFunctionData({ abi: timelockAbi, functionName: 'executeBatch', args: batch }),
  });
  return getAddress(to);
}

async function run(role: LocalAccount | null, line: string): Promise<object> {
  const account = role && privateKeyToAccount(role.privateKey);
  const operations = {
    store: () => Promise.reject(new Error('no database is needed')),
    databaseUrl: () => '',
    environment: {},
    vault: async () => ({
      client,
      vault: deployment.contracts.vault,
      wallet: account && createWalletClient({ account, transport: http(chain.rpcUrl) }),
    }),
    nowMs: () => 0,
  };
  return (await operate(['vault', ...line.split(' ')], operations)).value;
}

async function refusalOf(role: LocalAccount | null, line: string): Promise<string> {
  const refusal = await run(role, line).then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(refusal).toBeInstanceOf(FriendlyError);
  return String(refusal);
}

test('a keeper is appointed through the timelock, after its delay alone', async () => {
  const { owner, bob, carol, dave } = deployment.roles;
  const line = `set-role keeper ${dave.address} yes`;
  expect(await refusalOf(owner, line)).toContain(`run operate vault schedule ${line} with the key of a proposer`);
  expect(await run(null, line)).toMatchObject({ by: 'owner', owner: timelock, is_timelock: true });
  expect(await refusalOf(carol, `execute ${line}`)).toContain('not scheduled');
  expect(await refusalOf(carol, `schedule ${line}`)).toContain('no proposer of the timelock');
  const printed = await run(null, `schedule ${line}`);
  expect(printed).toMatchObject({ by: 'a proposer of the timelock', to: timelock, ready_at: null });

  const scheduled = await run(bob, `schedule ${line}`);
  const { timestamp } = await client.getBlock();
  const readyAt = new Date((Number(timestamp) + delaySeconds) * 1_000).toISOString();
  expect(scheduled).toMatchObject({
    status: 'success',
    delay_seconds: delaySeconds,
    ready_at: readyAt,
    reverts_now: null,
    now: { role: 'keeper', address: dave.address, has_role: false },
  });
  expect(scheduled).toHaveProperty('id', Reflect.get(printed, 'id'));
  expect(await refusalOf(bob, `schedule ${line}`)).toContain(`for ${readyAt}`);

  await rpc.advance(delaySeconds - 60);
  expect(await refusalOf(carol, `execute ${line}`)).toMatch(/is ready in [1-6]?\d s, on /);
  await rpc.advance(60);
  expect(await refusalOf(bob, `execute ${line}`)).toContain('no executor of the timelock');
  expect(await run(carol, `execute ${line}`)).toMatchObject({ status: 'success', now: { has_role: true } });
  expect(await refusalOf(carol, `execute ${line}`)).toContain('already a keeper');
});

test('the same call can be scheduled again after its execution', async () => {
  const { guardian, bob, carol, erin } = deployment.roles;
  const ids = new Set<unknown>();
  for (let round = 0; round < 2; round += 1) {
    ids.add(Reflect.get(await run(bob, `schedule set-role keeper ${erin.address} yes`), 'id'));
    await rpc.advance(delaySeconds);
    await run(carol, `execute set-role keeper ${erin.address} yes`);
    expect(await run(guardian, `set-role keeper ${erin.address} no`)).toMatchObject({ now: { has_role: false } });
  }
  expect(ids.size).toBe(2);
});

test('a standby quote key waits in the timelock beyond its delay and takes over with one call', async () => {
  const { guardian, bob, carol, takers, quoteSigner } = deployment.roles;
  const standby = takers[0]?.address ?? zeroAddress;
  await run(bob, `schedule set-quote-signer ${standby}`);
  await rpc.advance(30 * delaySeconds);
  expect(await run(guardian, 'set-quote-signer none')).toMatchObject({ now: { quote_signer: zeroAddress } });
  expect(await run(carol, `execute set-quote-signer ${standby}`)).toMatchObject({ now: { quote_signer: standby } });
  expect(await refusalOf(bob, `schedule set-quote-signer ${standby}`)).toContain('already the quote signer');
  expect(await run(bob, `schedule set-quote-signer ${quoteSigner.address}`)).toHaveProperty('id');
});

test('schedule: a mistake that would cost the delay is refused at once', async () => {
  const { bob, priceSigner, keeper, owner } = deployment.roles;
  expect(await refusalOf(bob, `schedule set-role keeper ${priceSigner.address} yes`)).toContain('is the price signer');
  expect(await refusalOf(bob, `schedule set-role keeper ${keeper.address} yes`)).toContain('already a keeper');
  expect(await refusalOf(bob, `schedule set-role keeper ${owner.address} no`)).toContain('not a keeper');
  expect(await refusalOf(bob, `schedule set-quote-signer ${keeper.address}`)).toContain('is the keeper');
  expect(await refusalOf(bob, `schedule set-quote-signer ${zeroAddress}`)).toContain('zero address');
  expect(await refusalOf(bob, 'schedule signers')).toContain('no call signers');
  const removal = await run(bob, `schedule set-role price-signer ${priceSigner.address} no`);
  expect(removal).toHaveProperty('reverts_now', expect.stringMatching(/^PriceThresholdOutOfRange\(2, 1\)\. \w/));
});
