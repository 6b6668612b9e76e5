import { liquidityPoolAbi, vaultAbi } from '@core/vault';
import { type Address, type Hex, type PublicClient, zeroAddress } from 'viem';
import { recordOf } from '../../../local/recordOf.ts';
import { type VaultLibraries, vaultLibraryNames } from '../../../local/vaultLibraries.ts';
import { timelockCreationCode, vaultCreationCode } from '../creationCode.ts';
import type { ExpectedDeployment } from '../deploymentParameters.ts';
import { libraryCodeOf, linkedLibraryOf, runtimeCodeOf } from '../runtimeCode.ts';
import { codeRowOf, type DeploymentRow, rowOf } from './deploymentRow.ts';
import { type EventSource, foldMembers } from './foldMembers.ts';
import { readCreation } from './readCreation.ts';
import { readTimelock } from './readTimelock.ts';
import { readVenue, readVenueAddresses, tried, type VenueAddresses } from './readVenue.ts';

/** Addresses of a deployment. */
export interface DeploymentAddresses {
  readonly vault: Address;
  /** Needed where the expected owner is the deployment's own timelock. */
  readonly timelock?: Address;
  /** Filler with pairs; not compared where it is not given. */
  readonly pairFiller?: Address;
}

/** Hashes of the transactions that created the contracts; each fact of one that is not given is a difference. */
export interface DeploymentCreation {
  readonly vault?: Hex;
  readonly timelock?: Hex;
}

export interface ReadBack {
  readonly client: PublicClient;
  readonly addresses: DeploymentAddresses;
  readonly creation: DeploymentCreation;
  readonly expected: ExpectedDeployment;
  /** Arguments of the constructors, where the owner has changed something since; the expected ones otherwise. */
  readonly createdWith?: ExpectedDeployment;
  /** Most blocks one request for events may span. */
  readonly blockRange?: bigint;
}

interface Found {
  /** Null where no code could link it: the first two are linked by the vault, the last by what created it. */
  readonly libraries: Readonly<Record<(typeof vaultLibraryNames)[number], Address | null>>;
  readonly venue: VenueAddresses;
  readonly pool: Address;
  readonly accountImplementation: Address;
}

const vaultEvents = vaultAbi.filter((entry) => entry.type === 'event');
const poolEvents = liquidityPoolAbi.filter((entry) => entry.type === 'event');
const defaultBlockRange = 10_000n;

/** Numbers of the contract's `Role`. */
const roleNumbers = [
  ['keepers', 1],
  ['priceSigners', 2],
  ['oracles', 3],
] as const;

/**
 * Reads a deployment back and compares everything that was configured or compiled: code with immutables and linked
 * libraries, the transactions that created it, owner, guardian, signers, keepers, oracles, builders, pool, pause, and
 * the facts of the venue and of the timelock. A fact that cannot be read is a difference, never an error.
 *
 * @returns one row per fact.
 */
export async function readDeployment(readBack: ReadBack): Promise<readonly DeploymentRow[]> {
  const { client, addresses, expected, createdWith = expected } = readBack;
  const at = { address: addresses.vault, abi: vaultAbi } as const;
  const pool = await tried(client.readContract({ ...at, functionName: 'pool' }));
  const implementation = await tried(client.readContract({ ...at, functionName: 'accountImplementation' }));
  const found = {
    libraries: await linkedLibraries(readBack),
    venue: await readVenueAddresses(client, expected.deployment.exchange),
    pool: pool === 'unreadable' ? zeroAddress : pool,
    accountImplementation: implementation === 'unreadable' ? zeroAddress : implementation,
  };
  const owner = expected.deployment.owner ?? addresses.timelock ?? zeroAddress;
  const rows: DeploymentRow[] = [];
  if (expected.facts.chainId !== undefined) {
    rows.push(rowOf('chain id', expected.facts.chainId, await client.getChainId()));
  }
  rows.push(...(await codeRows(readBack, found)));
  rows.push(...(await creationRows(readBack, found, owner)));
  rows.push(...(await vaultRows(readBack, found, owner)));
  rows.push(...(await poolRows(readBack, { owner, pool: found.pool })));
  rows.push(...(await readVenue(client, expected, found.venue)));
  if (expected.timelock !== null) {
    const source = sourceOf(readBack, owner);
    const { pendingOperations = [] } = expected.facts;
    const expectation = { now: expected.timelock, atFirst: createdWith.timelock, pendingOperations };
    rows.push(...(await readTimelock(client, expectation, source)));
  }
  return rows;
}

async function linkedLibraries({ client, addresses, creation }: ReadBack): Promise<Found['libraries']> {
  const code = await client.getCode({ address: addresses.vault });
  const hash = creation.vault;
  const created = hash === undefined ? 'unreadable' : await tried(client.getTransaction({ hash }));
  const linked = (library: string, linking: Hex | undefined, isCreation: boolean) =>
    linking === undefined ? null : linkedLibraryOf('Vault', { library, code: linking, isCreation });
  return {
    FillRoute: linked('FillRoute', code, false),
    OrderRules: linked('OrderRules', code, false),
    OutcomeRules: linked('OutcomeRules', code, false),
    Settlement: linked('Settlement', code, false),
    VaultParts: created === 'unreadable' ? null : linked('VaultParts', created.input, true),
  };
}

/** Libraries as they are linked; what is not linked at all is the zero address. */
function placedLibraries({ libraries }: Found): VaultLibraries {
  return recordOf(vaultLibraryNames, (name) => libraries[name] ?? zeroAddress);
}

function sourceOf({ client, expected, blockRange = defaultBlockRange }: ReadBack, address: Address): EventSource {
  return { client, address, fromBlock: expected.facts.fromBlock ?? 0n, blockRange };
}

async function codeRows({ client, addresses, expected }: ReadBack, found: Found): Promise<readonly DeploymentRow[]> {
  const { vault, pairFiller } = addresses;
  const { exchange, positionManager, positionRouter, oracleAggregator } = expected.deployment;
  const { usdc, conditionalTokens, ctfCollateral, redeemer } = found.venue;
  const code = (address: Address) => client.getCode({ address });
  const { libraries, pool, accountImplementation } = found;
  const wantedVault = runtimeCodeOf('Vault', {
    immutables: {
      usdc,
      conditionalTokens,
      ctfCollateral,
      redeemer,
      exchange,
      pool,
      accountImplementation,
      _positionManager: positionManager,
      _positionRouter: positionRouter,
      _oracleAggregator: oracleAggregator,
    },
    libraries: placedLibraries(found),
  });
  const wantedPool = runtimeCodeOf('LiquidityPool', {
    immutables: { vault, _asset: usdc, _underlyingDecimals: 6n },
  });
  const ofVenue = {
    USDC: usdc,
    CONDITIONAL_TOKENS: conditionalTokens,
    CTF_COLLATERAL: ctfCollateral,
    REDEEMER: redeemer,
    POSITION_MANAGER: positionManager,
    POSITION_ROUTER: positionRouter,
  };
  const wantedAccount = runtimeCodeOf('PositionAccount', {
    immutables: { ...ofVenue, VAULT: vault, EXCHANGE: exchange },
  });
  const libraryRows: DeploymentRow[] = [];
  for (const name of vaultLibraryNames) {
    const library = libraries[name];
    const wanted = libraryCodeOf(name, library ?? zeroAddress);
    libraryRows.push(codeRowOf(name, wanted, library === null ? undefined : await code(library)));
  }
  return [
    codeRowOf('vault', wantedVault, await code(vault)),
    ...libraryRows,
    codeRowOf('pool', wantedPool, await code(pool)),
    codeRowOf('account', wantedAccount, await code(accountImplementation)),
    // Its code alone: it holds nothing between two fills that an approval of its constructor could move.
    ...(pairFiller === undefined
      ? []
      : [
          codeRowOf(
            'pair filler',
            runtimeCodeOf('PairFiller', { immutables: { ...ofVenue, vault } }),
            await code(pairFiller),
          ),
        ]),
  ];
}

async function creationRows(readBack: ReadBack, found: Found, owner: Address): Promise<readonly DeploymentRow[]> {
  const { client, addresses, creation, expected, createdWith = expected } = readBack;
  const { fromBlock } = sourceOf(readBack, addresses.vault);
  const deployment = { ...createdWith.deployment, owner: createdWith.deployment.owner ?? owner };
  const rows = await readCreation(client, {
    name: 'vault',
    address: addresses.vault,
    hash: creation.vault,
    wanted: vaultCreationCode(deployment, placedLibraries(found)),
    fromBlock,
  });
  if (createdWith.timelock === null) return rows;
  const timelockRows = await readCreation(client, {
    name: 'timelock',
    address: owner,
    hash: creation.timelock,
    wanted: timelockCreationCode(createdWith.timelock),
    fromBlock,
  });
  return [...rows, ...timelockRows];
}

async function vaultRows(readBack: ReadBack, found: Found, owner: Address): Promise<readonly DeploymentRow[]> {
  const { client, addresses, expected } = readBack;
  const { deployment } = expected;
  const at = { address: addresses.vault, abi: vaultAbi } as const;
  const source = sourceOf(readBack, addresses.vault);
  const rows: DeploymentRow[] = [
    rowOf('owner', owner, await tried(client.readContract({ ...at, functionName: 'owner' }))),
    rowOf('pending owner', zeroAddress, await tried(client.readContract({ ...at, functionName: 'pendingOwner' }))),
    rowOf('opening paused', false, await tried(client.readContract({ ...at, functionName: 'openingPaused' }))),
  ];
  const threshold = await tried(client.readContract({ ...at, functionName: 'priceThreshold' }));
  rows.push(rowOf('price threshold', deployment.priceThreshold, threshold));
  for (const name of ['guardian', 'quoteSigner'] as const) {
    rows.push(rowOf(name, deployment[name], await tried(client.readContract({ ...at, functionName: name }))));
  }
  const venue = { ...found.venue, exchange: deployment.exchange };
  for (const name of ['usdc', 'conditionalTokens', 'ctfCollateral', 'redeemer', 'exchange'] as const) {
    rows.push(rowOf(name, venue[name], await tried(client.readContract({ ...at, functionName: name }))));
  }
  const managed = await tried(client.readContract({ ...at, functionName: 'managedContracts' }));
  const { positionManager, positionRouter, oracleAggregator } = deployment;
  rows.push(rowOf('managed contracts', [positionManager, positionRouter, oracleAggregator], managed));
  for (const [name, role] of roleNumbers) {
    const members = foldMembers(source, vaultEvents, (eventName, args) =>
      eventName === 'RoleChanged' && args['role'] === role
        ? { member: String(args['account']), isMember: args['allowed'] === true }
        : null,
    );
    rows.push(rowOf(name, deployment[name], await tried(members)));
  }
  const builders = foldMembers(source, vaultEvents, (eventName, args) =>
    eventName === 'BuilderChanged' ? { member: String(args['builder']), isMember: args['allowed'] === true } : null,
  );
  rows.push(rowOf('builders', deployment.builders, await tried(builders)));
  return rows;
}

async function poolRows(
  readBack: ReadBack,
  { owner, pool }: { readonly owner: Address; readonly pool: Address },
): Promise<readonly DeploymentRow[]> {
  const { client, addresses, expected } = readBack;
  const at = { address: pool, abi: liquidityPoolAbi } as const;
  const wanted = expected.deployment.poolParameters;
  const found = await tried(client.readContract({ ...at, functionName: 'parametersOf' }));
  const actual = new Map<string, unknown>(found === 'unreadable' ? [] : Object.entries(found));
  const parameters = Object.entries(wanted).map(([name, value]) =>
    rowOf(`pool ${name}`, value, found === 'unreadable' ? found : actual.get(name)),
  );
  const ownCaps = foldMembers(sourceOf(readBack, pool), poolEvents, (eventName, args) =>
    eventName === 'OutcomeCapChanged'
      ? { member: `outcome ${String(args['outcomeId'])}`, isMember: args['hasCap'] === true }
      : null,
  );
  return [
    rowOf('pool vault', addresses.vault, await tried(client.readContract({ ...at, functionName: 'vault' }))),
    rowOf('pool owner', owner, await tried(client.readContract({ ...at, functionName: 'owner' }))),
    rowOf('pool pending owner', zeroAddress, await tried(client.readContract({ ...at, functionName: 'pendingOwner' }))),
    rowOf(
      'pool treasury',
      expected.deployment.treasury,
      await tried(client.readContract({ ...at, functionName: 'treasury' })),
    ),
    ...parameters,
    rowOf('pool outcomes with a cap of their own', [], await tried(ownCaps)),
  ];
}
