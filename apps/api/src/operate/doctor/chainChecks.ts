import { addressOfKey } from '@core/keys';
import { chainNodesOf, coinLevelOf } from '@core/runtime';
import { liquidityPoolAbi, Role, vaultAbi } from '@core/vault';
import { type Address, formatEther, isAddressEqual } from 'viem';
import { type Check, type Deployment, type Finding, failed, findingOf, ok, skipped } from './check.ts';
import { readCoin } from './readCoin.ts';

const nodeTimeoutMs = 5_000;
/** Maximum lead of the chain's clock. Beyond it a quote, valid for 15 s, expires before it can be mined. */
const maxLeadMs = 5_000;
const secondsText = (ms: number): string => `${Math.round(ms / 1_000)} s`;
const messageOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message.split('\n')[0] : undefined) ?? String(cause);

async function checkNodes({ settings, nowMs }: Deployment): Promise<Finding> {
  const { RPC_URL: rpcUrl, RPC_FALLBACK_URLS: fallbackRpcUrls, CHAIN_ID, MAX_HEAD_AGE_SECONDS } = settings;
  const nodes = chainNodesOf({ rpcUrl, fallbackRpcUrls, timeoutMs: nodeTimeoutMs, retryCount: 0 });
  const problems: string[] = [];
  const ages: string[] = [];
  for (const [index, node] of nodes.entries()) {
    const name = new URL([rpcUrl, ...fallbackRpcUrls][index] ?? rpcUrl).host;
    try {
      const [chainId, block] = await Promise.all([node.getChainId(), node.getBlock({ blockTag: 'latest' })]);
      const ageMs = nowMs() - Number(block.timestamp) * 1_000;
      ages.push(`${name}: block ${block.number}, ${secondsText(ageMs)} old`);
      if (chainId !== CHAIN_ID) problems.push(`${name} is chain ${chainId}, CHAIN_ID is ${CHAIN_ID}`);
      else if (ageMs > MAX_HEAD_AGE_SECONDS * 1_000) problems.push(`${name} is ${secondsText(ageMs)} behind`);
      else if (ageMs < -maxLeadMs) problems.push(`the clock of ${name} is ${secondsText(-ageMs)} ahead`);
    } catch (cause) {
      problems.push(`${name} does not answer: ${messageOf(cause)}`);
    }
  }
  return findingOf(problems, ages.join(', '));
}

async function checkContracts({ settings, client }: Deployment): Promise<Finding> {
  const vault = { address: settings.VAULT_ADDRESS, abi: vaultAbi } as const;
  const code = await client.getCode({ address: vault.address });
  if (code === undefined) return failed(`no contract code at VAULT_ADDRESS ${vault.address}`);
  const facts = [
    ['POOL_ADDRESS', settings.POOL_ADDRESS, await client.readContract({ ...vault, functionName: 'pool' })],
    ['USDC_ADDRESS', settings.USDC_ADDRESS, await client.readContract({ ...vault, functionName: 'usdc' })],
    ['EXCHANGE_ADDRESS', settings.EXCHANGE_ADDRESS, await client.readContract({ ...vault, functionName: 'exchange' })],
    [
      'CONDITIONAL_TOKENS_ADDRESS',
      settings.CONDITIONAL_TOKENS_ADDRESS,
      await client.readContract({ ...vault, functionName: 'conditionalTokens' }),
    ],
  ] as const;
  const problems = facts.flatMap(([name, setting, actual]) =>
    setting === undefined || isAddressEqual(setting, actual) ? [] : [`${name} is ${setting}, the vault's is ${actual}`],
  );
  const isPaused = await client.readContract({ ...vault, functionName: 'openingPaused' });
  if (isPaused) problems.push('openings are paused');
  return findingOf(problems, `vault ${vault.address}`);
}

/** Check that DEPLOYMENT_BLOCK is not after the deployment: earlier events are never read. */
async function checkDeploymentBlock({ settings, client }: Deployment): Promise<Finding> {
  const { DEPLOYMENT_BLOCK: block, VAULT_ADDRESS: vault } = settings;
  if (block === undefined) return skipped('DEPLOYMENT_BLOCK is not set');
  if (block === 0n) return ok('0: every block is read');
  const head = await client.getBlockNumber();
  if (block > head)
    return failed(`DEPLOYMENT_BLOCK ${block} is after the newest block ${head}: no event would be read`);
  try {
    const code = await client.getCode({ address: vault, blockNumber: block - 1n });
    if (code === undefined) return ok(`${block}: the vault is not older`);
    return failed(`the vault exists before DEPLOYMENT_BLOCK ${block}: its first events would be missed`);
  } catch (cause) {
    return skipped(`the node does not know the state at ${block - 1n}: ${messageOf(cause)}`);
  }
}

async function checkRoles({ settings, client }: Deployment): Promise<Finding> {
  const vault = { address: settings.VAULT_ADDRESS, abi: vaultAbi } as const;
  const has = (role: Role, account: Address): Promise<boolean> =>
    client.readContract({ ...vault, functionName: 'hasRole', args: [role, account] });
  const problems: string[] = [];
  const checked: string[] = [];
  if (settings.quoteKey !== null) {
    const own = addressOfKey(settings.quoteKey);
    const accepted = await client.readContract({ ...vault, functionName: 'quoteSigner' });
    checked.push('quote signer');
    if (!isAddressEqual(own, accepted)) problems.push(`the quote key is ${own}, the vault accepts ${accepted}`);
  }
  if (settings.keeperKey !== null) {
    const keeper = addressOfKey(settings.keeperKey);
    checked.push('keeper');
    if (!(await has(Role.Keeper, keeper))) problems.push(`the vault has not appointed ${keeper} as a keeper`);
  }
  for (const oracle of settings.ORACLE_ADDRESSES) {
    checked.push('oracle');
    if (!(await has(Role.Oracle, oracle))) problems.push(`the vault has not listed the oracle ${oracle}`);
  }
  if (checked.length === 0) return skipped('no key and no oracle is set');
  return findingOf(problems, checked.join(', '));
}

async function checkGas(deployment: Deployment): Promise<Finding> {
  const { keeperKey } = deployment.settings;
  if (keeperKey === null) return skipped('no key of a keeper is set');
  const coin = await readCoin(deployment, addressOfKey(keeperKey));
  if (coin.ceilingText !== null) {
    const fix = 'Raise KEEPER_MAX_FEE_GWEI of the keepers, or wait (docs/operate/runbook/GasPriceHigh.md).';
    return failed(`the price of gas is above the ceiling, transactions wait: ${coin.ceilingText}`, fix);
  }
  if (coinLevelOf(coin) === 'enough') return ok(coin.text);
  return failed(`${coin.text}; its next transactions may cost ${formatEther(coin.reserveWei)}`);
}

/** Check the pool from which positions borrow. No role of the service gives or needs a token allowance. */
async function checkPool({ settings, client }: Deployment): Promise<Finding> {
  const pool = { address: settings.POOL_ADDRESS, abi: liquidityPoolAbi } as const;
  const [free, book] = await Promise.all([
    client.readContract({ ...pool, functionName: 'freeLiquidity' }),
    client.readContract({ ...pool, functionName: 'bookOf' }),
  ]);
  const usd = (usdcUnits: bigint): string => `${usdcUnits / 1_000_000n} USDC`;
  const problems = [
    ...(free === 0n ? ['the pool has nothing to lend'] : []),
    ...(book.reserveUsdcUnits === 0n ? ['the reserve is empty'] : []),
  ];
  return findingOf(problems, `${usd(free)} to lend, reserve ${usd(book.reserveUsdcUnits)}`);
}

/** Checks of nodes, contracts, roles and money on the chain. */
export const chainChecks: readonly Check[] = [
  {
    name: 'nodes',
    after: [],
    observe: checkNodes,
    fix: 'Correct RPC_URL, RPC_FALLBACK_URLS and CHAIN_ID, or replace the node.',
  },
  {
    name: 'contracts',
    after: ['nodes'],
    observe: checkContracts,
    fix: 'Take the addresses from the read-back of the deployment (docs/operate/deploy.md).',
  },
  {
    name: 'deployment block',
    after: ['nodes', 'contracts'],
    observe: checkDeploymentBlock,
    fix: 'Set DEPLOYMENT_BLOCK to the block of the transaction that created the vault.',
  },
  {
    name: 'roles',
    after: ['nodes', 'contracts'],
    observe: checkRoles,
    fix: 'Have the owner of the vault appoint the key, or use the appointed one.',
  },
  { name: 'gas', after: ['nodes'], observe: checkGas, fix: "Send the chain's own coin to the keeper." },
  {
    name: 'pool',
    after: ['nodes', 'contracts'],
    observe: checkPool,
    fix: 'Deposit with npx -y pnpm@12 operate pool fill.',
  },
];
