import { type Address, getAddress, type Hex, isAddress, isHex, size } from 'viem';
import type { PoolParameters, VaultDeployment } from '../../local/vaultDeployment.ts';

/** A timelock that owns the vault. Proposers may also cancel; only the timelock itself administers it. */
export interface TimelockParameters {
  readonly minDelaySeconds: bigint;
  readonly proposers: readonly Address[];
  /** The zero address lets anyone execute what is due. */
  readonly executors: readonly Address[];
}

/** Facts the read-back checks that are no argument of a constructor; each is left out where it is not given. */
export interface ReadBackFacts {
  readonly chainId?: bigint;
  /** First block whose events are read. */
  readonly fromBlock?: bigint;
  /** EIP-712 name and version of the exchange. */
  readonly venueDomain?: { readonly name: string; readonly version: string };
  /** keccak-256 of the code of contracts that are not ours. */
  readonly exchangeCodeHash?: Hex;
  readonly conditionalTokensCodeHash?: Hex;
  readonly usdcCodeHash?: Hex;
  readonly ctfCollateralCodeHash?: Hex;
  readonly redeemerCodeHash?: Hex;
  readonly positionManagerCodeHash?: Hex;
  readonly positionRouterCodeHash?: Hex;
  readonly oracleAggregatorCodeHash?: Hex;
  /** Ids of operations known to wait in the timelock; any other that waits is a difference. */
  readonly pendingOperations?: readonly Hex[];
}

const factNames = [
  'chainId',
  'fromBlock',
  'venueDomain',
  'exchangeCodeHash',
  'conditionalTokensCodeHash',
  'usdcCodeHash',
  'ctfCollateralCodeHash',
  'redeemerCodeHash',
  'positionManagerCodeHash',
  'positionRouterCodeHash',
  'oracleAggregatorCodeHash',
  'pendingOperations',
] as const satisfies readonly (keyof ReadBackFacts)[];

/** Everything a deployment is expected to be. The owner is null where the deployment brings its own timelock. */
export interface ExpectedDeployment {
  readonly deployment: Omit<VaultDeployment, 'owner'> & { readonly owner: Address | null };
  readonly timelock: TimelockParameters | null;
  readonly facts: ReadBackFacts;
}

/**
 * Reads a parameters file of Ignition: `Vault.deployment` for a given owner, or `GovernedVault` for one with its own
 * timelock, and `ReadBack` for the facts that Ignition does not use.
 *
 * @throws Error naming the first value that is missing or malformed, or a name of `ReadBack` that is not known.
 */
export function parseDeploymentParameters(file: unknown): ExpectedDeployment {
  const modules = knownOf(recordOf(file, 'parameters'), 'parameters', ['Vault', 'GovernedVault', 'ReadBack']);
  const facts = factsOf(modules['ReadBack']);
  const governed = modules['GovernedVault'];
  if (governed !== undefined) {
    const values = recordOf(governed, 'GovernedVault');
    const timelock = {
      minDelaySeconds: wholeOf(values['minDelaySeconds'], 'minDelaySeconds'),
      proposers: addressesOf(values['proposers'], 'proposers'),
      executors: addressesOf(values['executors'], 'executors'),
    };
    return { deployment: { ...deploymentOf(values), owner: null }, timelock, facts };
  }
  const values = recordOf(recordOf(modules['Vault'], 'Vault')['deployment'], 'Vault.deployment');
  const owner = addressOf(values['owner'], 'owner');
  return { deployment: { ...deploymentOf(values), owner }, timelock: null, facts };
}

function deploymentOf(values: Readonly<Record<string, unknown>>): Omit<VaultDeployment, 'owner'> {
  const address = (name: string) => addressOf(values[name], name);
  const addresses = (name: string) => addressesOf(values[name], name);
  return {
    guardian: address('guardian'),
    treasury: address('treasury'),
    quoteSigner: address('quoteSigner'),
    priceSigners: addresses('priceSigners'),
    priceThreshold: wholeOf(values['priceThreshold'], 'priceThreshold'),
    keepers: addresses('keepers'),
    oracles: addresses('oracles'),
    builders: wordsOf(values['builders'], 'builders'),
    exchange: address('exchange'),
    positionManager: address('positionManager'),
    positionRouter: address('positionRouter'),
    oracleAggregator: address('oracleAggregator'),
    poolParameters: poolParametersOf(values['poolParameters']),
  };
}

function poolParametersOf(value: unknown): PoolParameters {
  const values = recordOf(value, 'poolParameters');
  const whole = (name: string) => wholeOf(values[name], name);
  return {
    totalCapUsdcUnits: whole('totalCapUsdcUnits'),
    defaultOutcomeCapUsdcUnits: whole('defaultOutcomeCapUsdcUnits'),
    utilisationBps: Number(whole('utilisationBps')),
    protocolCutBps: Number(whole('protocolCutBps')),
    originationReserveBps: Number(whole('originationReserveBps')),
    reserveTargetBps: Number(whole('reserveTargetBps')),
  };
}

function factsOf(value: unknown): ReadBackFacts {
  if (value === undefined) return {};
  const values = knownOf(recordOf(value, 'ReadBack'), 'ReadBack', factNames);
  const domain =
    values['venueDomain'] === undefined
      ? null
      : knownOf(recordOf(values['venueDomain'], 'venueDomain'), 'venueDomain', ['name', 'version']);
  const whole = (name: string) => (values[name] === undefined ? {} : { [name]: wholeOf(values[name], name) });
  const word = (name: string) => (values[name] === undefined ? {} : { [name]: wordOf(values[name], name) });
  return {
    ...whole('chainId'),
    ...whole('fromBlock'),
    ...word('exchangeCodeHash'),
    ...word('conditionalTokensCodeHash'),
    ...word('usdcCodeHash'),
    ...word('ctfCollateralCodeHash'),
    ...word('redeemerCodeHash'),
    ...word('positionManagerCodeHash'),
    ...word('positionRouterCodeHash'),
    ...word('oracleAggregatorCodeHash'),
    ...(values['pendingOperations'] === undefined
      ? {}
      : { pendingOperations: wordsOf(values['pendingOperations'], 'pendingOperations') }),
    ...(domain === null ? {} : { venueDomain: { name: String(domain['name']), version: String(domain['version']) } }),
  };
}

/** A misspelt name would leave its fact out without a word, so every name has to be a known one. */
function knownOf(
  values: Readonly<Record<string, unknown>>,
  name: string,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const unknownName = Object.keys(values).find((key) => !known.includes(key));
  if (unknownName !== undefined) throw new Error(`${name} has the unknown ${unknownName}; known: ${known.join(', ')}`);
  return values;
}

function recordOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} is no object`);
  return Object.fromEntries(Object.entries(value));
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${name} is no list`);
  return value;
}

function addressOf(value: unknown, name: string): Address {
  if (typeof value !== 'string' || !isAddress(value)) throw new Error(`${name} is no address`);
  return getAddress(value);
}

function addressesOf(value: unknown, name: string): readonly Address[] {
  return listOf(value, name).map((one) => addressOf(one, name));
}

function wordOf(value: unknown, name: string): Hex {
  if (!isHex(value) || size(value) !== 32) throw new Error(`${name} is no 32 bytes`);
  return `0x${value.slice(2).toLowerCase()}`;
}

function wordsOf(value: unknown, name: string): readonly Hex[] {
  return listOf(value, name).map((one) => wordOf(one, name));
}

/** A whole number: a JSON number, a bigint, or Ignition's text such as "1000n". */
function wholeOf(value: unknown, name: string): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && /^[0-9]+n?$/.test(value)) return BigInt(value.replace('n', ''));
  throw new Error(`${name} is no whole number`);
}
