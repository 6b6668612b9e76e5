import { liquidityPoolAbi, testUsdcAbi, vaultAbi, venueExchangeAbi } from '@core/vault';
import { type Address, encodeDeployData, encodeFunctionData, getAddress, type Hex } from 'viem';
import { compileContracts } from './compilation/compileContracts.ts';
import type { CompiledName } from './compilation/compiledContract.ts';
import { type Artifact, conditionalTokensArtifact, readArtifact } from './compilation/readArtifact.ts';
import { type LocalAccount, type LocalRoles, localRoles } from './localAccounts.ts';
import type { LocalContracts, LocalDeployment, LocalLedger } from './localDeployment.ts';
import { localMoney } from './localMoney.ts';
import { LocalRpc } from './localRpc.ts';
import { defaultPoolParameters, type VaultDeployment } from './vaultDeployment.ts';
import type { VaultLibraries } from './vaultLibraries.ts';

const deploymentGasLimit = 16_000_000n;

/**
 * The highest fee of the local exchange: what the simulator's dearest category takes of a token that costs next to
 * nothing, 7 %. The vault reckons with it wherever a sale has to cover the debt.
 */
export const localMaxFeeRateBps = 700n;

/** The two exchanges that settle as the real one does; only the first has traps. */
export type LocalExchange = 'VenueExchange' | 'TwinExchange';

/**
 * Deploys everything to the local chain with the accounts of the public test mnemonic: TestUsdc, the real
 * ConditionalTokens, the exchange, the second ledger, the vault with its pool and account implementation, and its
 * filler with pairs; then 500,000 USDC of liquidity, 25,000 of reserve, and money for users, makers, takers and
 * fillers. Compiles the contracts when that was not done yet.
 */
export async function deployLocal(parameters: {
  readonly rpcUrl: string;
  readonly exchange?: LocalExchange;
}): Promise<LocalDeployment> {
  await compileContracts();
  const rpc = new LocalRpc(parameters.rpcUrl);
  const chainId = await rpc.client.getChainId();
  const deploymentBlock = await rpc.client.getBlockNumber();
  const roles = localRoles();
  const contracts = await deployContracts(rpc, roles, parameters.exchange ?? 'VenueExchange');
  await fund(rpc, roles, contracts);
  return {
    chainId,
    deploymentBlock,
    contracts,
    venueDomain: { name: 'Venue Exchange', version: '2' },
    roles,
  };
}

async function deployContracts(rpc: LocalRpc, roles: LocalRoles, venue: LocalExchange): Promise<LocalContracts> {
  const deploy = (artifact: Artifact, args: readonly unknown[] = []) => deployOne(rpc, roles.owner, { artifact, args });
  const usdc = await deploy(readArtifact('TestUsdc'));
  const conditionalTokens = await deploy(conditionalTokensArtifact());
  const exchange = await deploy(readArtifact(venue), [
    {
      collateral: usdc,
      conditionalTokens,
      ctfCollateral: usdc,
      outcomeTokenFactory: conditionalTokens,
      owner: roles.owner.address,
      operator: roles.venueOperator.address,
      feeReceiver: roles.venueFeeRecipient.address,
    },
  ]);
  await rpc.send(roles.owner, {
    to: exchange,
    data: encodeFunctionData({ abi: venueExchangeAbi, functionName: 'setMaxFeeRate', args: [localMaxFeeRateBps] }),
  });
  const libraries: VaultLibraries = {
    FillRoute: await deploy(readArtifact('FillRoute')),
    OrderRules: await deploy(readArtifact('OrderRules')),
    OutcomeRules: await deploy(readArtifact('OutcomeRules')),
    Settlement: await deploy(readArtifact('Settlement')),
    VaultParts: await deploy(readArtifact('VaultParts')),
  };
  const { binaryModule, ...ledger } = await deployLedger(rpc, roles, usdc);
  const deployment = localVaultDeployment(roles, { exchange, ...ledger });
  const vault = await deploy(readArtifact('Vault', libraries), [deployment]);
  const pairFiller = await deploy(readArtifact('PairFiller'), [vault]);
  const read = { address: vault, abi: vaultAbi } as const;
  const [pool, accountImplementation] = await Promise.all([
    rpc.client.readContract({ ...read, functionName: 'pool' }),
    rpc.client.readContract({ ...read, functionName: 'accountImplementation' }),
  ]);
  return {
    vault,
    pool,
    libraries,
    accountImplementation,
    pairFiller,
    usdc,
    conditionalTokens,
    exchange,
    ...ledger,
    binaryModule,
  };
}

/** Deploys the twins of the venue's PositionManager, its module of binary conditions, its router and its oracle. */
async function deployLedger(
  rpc: LocalRpc,
  roles: LocalRoles,
  usdc: Address,
): Promise<LocalLedger & Pick<LocalContracts, 'binaryModule'>> {
  const deploy = (name: CompiledName, args: readonly unknown[]) =>
    deployOne(rpc, roles.owner, { artifact: readArtifact(name), args });
  const positionManager = await deploy('TwinPositionManager', [usdc]);
  const oracleAggregator = await deploy('TwinOracleAggregator', [positionManager]);
  const positionRouter = await deploy('TwinPositionRouter', [positionManager]);
  const binaryModule = await deploy('TwinBinaryModule', [positionManager, oracleAggregator]);
  const { abi } = readArtifact('TwinPositionManager');
  const data = encodeFunctionData({ abi, functionName: 'addModule', args: [1n, binaryModule] });
  await rpc.send(roles.owner, { to: positionManager, data });
  return { positionManager, positionRouter, oracleAggregator, binaryModule };
}

/** Return the roles of the local vault: every role a different key, two price signers for every order, two keepers. */
export function localVaultDeployment(
  roles: LocalRoles,
  contracts: LocalLedger & Pick<LocalContracts, 'exchange'>,
): VaultDeployment {
  const { exchange, positionManager, positionRouter, oracleAggregator } = contracts;
  return {
    owner: roles.owner.address,
    guardian: roles.guardian.address,
    treasury: roles.treasury.address,
    quoteSigner: roles.quoteSigner.address,
    priceSigners: [roles.priceSigner.address, roles.secondPriceSigner.address],
    priceThreshold: 2n,
    keepers: [roles.keeper.address, roles.keeperStandby.address],
    oracles: [roles.oracle.address],
    builders: [],
    exchange,
    positionManager,
    positionRouter,
    oracleAggregator,
    poolParameters: defaultPoolParameters,
  };
}

/** Deploy a contract from one account, and return its address. */
export async function deployOne(
  rpc: LocalRpc,
  from: LocalAccount,
  { artifact, args }: { readonly artifact: Artifact; readonly args: readonly unknown[] },
): Promise<Address> {
  const data = encodeDeployData({ abi: artifact.abi, bytecode: artifact.bytecode, args });
  const receipt = await rpc.send(from, { data, gasLimit: deploymentGasLimit });
  if (receipt.contractAddress === null || receipt.contractAddress === undefined) {
    throw new Error('a deployment without a contract');
  }
  return getAddress(receipt.contractAddress);
}

/** Mints and places the starting money. Anyone may mint TestUsdc. */
async function fund(rpc: LocalRpc, roles: LocalRoles, contracts: LocalContracts): Promise<void> {
  const { usdc, pool } = contracts;
  const mint = (to: LocalAccount, usdcUnits: bigint) =>
    rpc.send(roles.owner, {
      to: usdc,
      data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [to.address, usdcUnits] }),
    });
  const asProvider = (to: Address, data: Hex) => rpc.send(roles.lp, { to, data });
  const { liquidityUsdcUnits, reserveUsdcUnits, userUsdcUnits, venueAccountUsdcUnits, fillerUsdcUnits } = localMoney;
  const total = liquidityUsdcUnits + reserveUsdcUnits;
  await mint(roles.lp, total);
  await asProvider(usdc, encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [pool, total] }));
  await asProvider(
    pool,
    encodeFunctionData({
      abi: liquidityPoolAbi,
      functionName: 'deposit',
      args: [liquidityUsdcUnits, roles.lp.address],
    }),
  );
  await asProvider(
    pool,
    encodeFunctionData({ abi: liquidityPoolAbi, functionName: 'fundReserve', args: [reserveUsdcUnits] }),
  );
  for (const user of [roles.alice, roles.bob, roles.carol, roles.dave, roles.erin]) await mint(user, userUsdcUnits);
  for (const trader of [...roles.makers, ...roles.takers]) await mint(trader, venueAccountUsdcUnits);
  for (const filler of roles.fillers) await mint(filler, fillerUsdcUnits);
}
