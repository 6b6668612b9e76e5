import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  deployLocal,
  type LocalAccount,
  type LocalDeployment,
  LocalDriver,
  startLocalChain,
} from '@core/contracts/local';
import { connectChain, FriendlyError } from '@core/runtime';
import { OrderSide, Purpose, positionSeedOf } from '@core/vault';
import { createWalletClient, formatUnits, http, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate } from '../operate.ts';
import { requireVault } from './readVault.ts';

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let deployment: LocalDeployment;
let client: PublicClient;

beforeAll(async () => {
  chain = await startLocalChain();
  deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  client = await connectChain({ rpcUrl: chain.rpcUrl, chainId: deployment.chainId, timeoutMs: 10_000 });
});
afterAll(() => chain.close());

const withoutDatabase = () => Promise.reject(new Error('no database is needed'));

/** With the key of a role, or with none. */
async function run(role: LocalAccount | null, ...words: readonly string[]): Promise<object> {
  return runAny(role, ['vault', ...words]);
}

async function runAny(role: LocalAccount | null, words: readonly string[]): Promise<object> {
  const account = role && privateKeyToAccount(role.privateKey);
  const wallet = account && createWalletClient({ account, transport: http(chain.rpcUrl) });
  const operations = {
    store: withoutDatabase,
    databaseUrl: () => '',
    environment: {},
    vault: async () => ({ client, vault: deployment.contracts.vault, wallet }),
    nowMs: () => 0,
  };
  return (await operate(words, operations)).value;
}

const signers = () => run(null, 'signers');

test('without a key the call is printed for the wallet with the role', async () => {
  const { erin } = deployment.roles;
  const printed = await run(null, 'set-role', 'price-signer', erin.address, 'yes');
  expect(printed).toMatchObject({ by: 'owner', to: deployment.contracts.vault });
  expect((printed as { data: string }).data.toLowerCase()).toContain(erin.address.slice(2).toLowerCase());
  expect(await signers()).toMatchObject({ price_signer_count: 2 });
});

test('a revert of the vault is named, with the role of the call', async () => {
  const { alice, guardian, secondPriceSigner } = deployment.roles;
  await expect(run(alice, 'raise-alarm')).rejects.toThrow(/guardian or owner.*OPERATOR_KEY_FILE/);
  await expect(run(guardian, 'set-role', 'price-signer', secondPriceSigner.address, 'no')).rejects.toThrow(
    'PriceThresholdOutOfRange',
  );
  await expect(run(guardian, 'set-role', 'price-signer', alice.address, 'yes')).rejects.toThrow('a call of owner');
});

/** A position of alice's, half of it lent. */
async function openPosition(): Promise<string> {
  const driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment });
  const market = await driver.openMarket('Who pays back?');
  const [maker] = deployment.roles.makers;
  if (maker === undefined) throw new Error('the deployment has no maker');
  const tokenUnits = 200_000_000n;
  await driver.mintTokens(maker, market, tokenUnits);
  const { alice } = deployment.roles;
  const fields = await driver.quoteFields({
    user: alice,
    token: market.yes,
    positionSeed: positionSeedOf('0x0102030405060708090a0b0c', 0),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
  const limits = { venueFeeUsdcUnits: 4_000_000n };
  const position = await driver.createPosition({ sender: alice, fields, signature: driver.signQuote(fields), limits });
  const order = driver.orderOf({
    maker: position.account,
    token: market.yes,
    side: OrderSide.Buy,
    tokenUnits,
    usdcUnits: 100_000_000n,
    isContract: true,
  });
  const prices = { token: market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n };
  await driver.authorizeOrder({ position, order, attestation: await driver.attestation(prices) });
  await driver.matchWithMaker(order, maker, 3_500_000n);
  await driver.finalize(position);
  return position.positionKey;
}

test('a loan is impaired by the guardian and cleared by the owner alone', async () => {
  const { owner, guardian, alice } = deployment.roles;
  const key = await openPosition();
  const principal = '50000000';
  expect(await run(null, 'loan', key)).toMatchObject({ principal_usdc_units: principal, impaired_usdc_units: '0' });
  await expect(run(alice, 'impair', key)).rejects.toThrow(/may not: a call of guardian or owner/);
  expect(await run(guardian, 'impair', key)).toMatchObject({ by: guardian.address, status: 'success' });
  expect(await run(null, 'loan', key)).toMatchObject({
    principal_usdc_units: principal,
    impaired_usdc_units: principal,
  });
  await expect(run(guardian, 'clear', key)).rejects.toThrow(/may not: a call of owner/);
  expect(await run(null, 'clear', key)).toMatchObject({ by: 'owner', to: deployment.contracts.vault });
  await run(owner, 'clear', key);
  expect(await run(null, 'loan', key)).toMatchObject({ impaired_usdc_units: '0' });
  await expect(run(guardian, 'impair', `0x${'ab'.repeat(32)}`)).rejects.toThrow('WrongState');
});

test.each([
  ['set-role'],
  ['set-role', 'price-signer', '0x12', 'yes'],
  ['set-role', 'guardian', '0x5FbDB2315678afecb367f032d93F642f64180aa3', 'yes'],
  ['set-role', 'keeper', '0x5FbDB2315678afecb367f032d93F642f64180aa3', 'maybe'],
  ['set-role', 'keeper', '0x0000000000000000000000000000000000000000', 'yes'],
  ['set-quote-signer', '0x0000000000000000000000000000000000000000'],
  ['set-quote-signer', '0x12'],
  ['schedule'],
  ['schedule', 'threshold', '2'],
  ['execute', 'threshold', '2'],
  ['threshold'],
  ['threshold', '0'],
  ['threshold', 'two'],
  ['impair'],
  ['clear', '0x12'],
  ['loan', 'ab'.repeat(32)],
])('%j is not enough to act on', async (...words) => {
  await expect(run(deployment.roles.owner, ...words)).rejects.toBeInstanceOf(FriendlyError);
});

test('a lost key is replaced by owner and guardian; an alarm needs all keys but one', async () => {
  const { owner, guardian, secondPriceSigner, dave, erin } = deployment.roles;
  expect(await signers()).toEqual({
    price_threshold: 2,
    price_signer_count: 2,
    required_signatures: 2,
    alarm_ends_at: null,
  });
  expect(await run(owner, 'set-role', 'price-signer', erin.address, 'yes')).toMatchObject({
    by: owner.address,
    status: 'success',
  });
  await run(owner, 'set-role', 'price-signer', dave.address, 'yes');
  await run(guardian, 'raise-alarm');
  expect(await signers()).toMatchObject({ price_threshold: 2, price_signer_count: 4, required_signatures: 3 });
  await expect(run(guardian, 'raise-alarm')).rejects.toThrow('AlarmTooSoon');
  await run(guardian, 'set-role', 'price-signer', secondPriceSigner.address, 'no');
  expect(await signers()).toMatchObject({ price_signer_count: 3, required_signatures: 2 });
  await run(owner, 'threshold', '3');
  expect(await signers()).toMatchObject({ price_threshold: 3, price_signer_count: 3, required_signatures: 3 });
});

test('vault addresses: every contract under the name of its setting', async () => {
  const { vault, pool, usdc, exchange, conditionalTokens } = deployment.contracts;
  expect(await run(null, 'addresses')).toEqual({
    VAULT_ADDRESS: vault,
    POOL_ADDRESS: pool,
    USDC_ADDRESS: usdc,
    EXCHANGE_ADDRESS: exchange,
    CONDITIONAL_TOKENS_ADDRESS: conditionalTokens,
  });
});

test('pool fill: deposits the missing amounts once; rejects insufficient USDC', async () => {
  const { erin, treasury } = deployment.roles;
  const { assets_usdc_units: assets, ...before } = (await runAny(erin, ['pool', 'fill', '--assets', '1'])) as {
    assets_usdc_units: string;
    reserve_usdc_units: string;
  };
  expect(before).toMatchObject({ calls: [] });
  const targetUsdcUnits = BigInt(assets) + 10_000_000n;
  const fill = ['pool', 'fill', '--assets', formatUnits(targetUsdcUnits, 6), '--reserve', '26000.5'];
  await expect(runAny(treasury, fill)).rejects.toThrow(/ 0 units of USDC, and \d+ are missing/);
  const result = await runAny(erin, fill);
  expect(result).toMatchObject({ assets_usdc_units: String(targetUsdcUnits), reserve_usdc_units: '26000500000' });
  expect((result as { calls: object[] }).calls).toHaveLength(3);
  expect(await runAny(erin, fill)).toEqual({ ...result, calls: [] });
  await expect(runAny(null, fill)).rejects.toThrow('--owner');
  await expect(runAny(erin, ['pool', 'fill', '--assets', 'all'])).rejects.toThrow('--assets is an amount of USDC');
  const printed = await runAny(null, ['pool', 'fill', '--assets', '600000', '--owner', treasury.address]);
  expect(printed).toMatchObject({ calls: [{ by: 'a provider' }, { by: 'a provider' }] });
});

const execute = promisify(execFile);
const program = fileURLToPath(new URL('../main.ts', import.meta.url));

test('another chain is one line that names the setting, exit code 2', async () => {
  const env = { RPC_URL: chain.rpcUrl, CHAIN_ID: '137', VAULT_ADDRESS: deployment.contracts.vault };
  await expect(execute(process.execPath, [program, 'vault', 'signers'], { env })).rejects.toMatchObject({
    code: 2,
    stderr: 'the chain is 31337, not 137: check RPC_URL and CHAIN_ID\n',
  });
});

test('an address without a vault is refused', async () => {
  const { vault, usdc } = deployment.contracts;
  await expect(requireVault(client, vault)).resolves.toBeUndefined();
  await expect(requireVault(client, deployment.roles.alice.address)).rejects.toThrow('correct VAULT_ADDRESS');
  await expect(requireVault(client, usdc)).rejects.toThrow('is no vault: correct VAULT_ADDRESS');
});
