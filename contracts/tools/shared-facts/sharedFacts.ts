import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Abi, type AbiEvent, toEventSelector } from 'viem';
import { compileContracts } from '../../local/compileContracts.ts';
import { type AbiErrorEntry, errorNamesText, revertErrorsOf, revertErrorsText } from './revertErrors.ts';
import {
  type ConstantDeclaration,
  type EnumDeclaration,
  readDeclarations,
  readErrorSentences,
} from './solidityDeclarations.ts';

/**
 * Everything Solidity and TypeScript share, read from the compiled contracts and rendered as the TypeScript files of
 * packages/vault/src/generated. The text depends on the compiler's output alone.
 */
const contractsFolder = dirname(dirname(import.meta.dirname));
const require = createRequire(import.meta.url);

/** Where the generated files live. */
export const sharedFactsFolder = join(contractsFolder, '..', 'packages', 'vault', 'src', 'generated');

const header = '// Written by contracts/tools/shared-facts/main.ts; do not edit.\n';

/** Where Hardhat leaves the artifact of a contract. */
function compiledPath(folder: string, contractName: string): string {
  return join(contractsFolder, 'artifacts', folder, `${contractName}.sol`, `${contractName}.json`);
}

/** File and constant name → where the compiler, or the npm package, left the artifact. */
const artifactPaths = {
  vaultAbi: compiledPath('src', 'Vault'),
  orderRulesAbi: compiledPath('src', 'OrderRules'),
  liquidityPoolAbi: compiledPath('src', 'LiquidityPool'),
  positionAccountAbi: compiledPath('src', 'PositionAccount'),
  venueExchangeAbi: compiledPath('venue', 'VenueExchange'),
  testUsdcAbi: compiledPath('venue', 'TestUsdc'),
  conditionalTokensAbi: require.resolve(
    '@gnosis.pm/conditional-tokens-contracts/build/contracts/ConditionalTokens.json',
  ),
} as const satisfies Readonly<Record<string, string>>;

/** Whose errors a call of the vault may end with: its own and those of all that it calls. */
const revertSources = ['vaultAbi', 'orderRulesAbi', 'liquidityPoolAbi', 'positionAccountAbi', 'testUsdcAbi'] as const;

/** Constants whose Solidity name is a scale: their TypeScript name says what the number stands for. */
const renamed: Readonly<Record<string, string>> = { BPS: 'wholeBps', PIPS: 'winPricePips' };

/** Number constants of the exchange that are an enumeration in all but syntax. */
const exchangeEnums: Readonly<Record<string, readonly string[]>> = {
  OrderSide: ['BUY', 'SELL'],
  SignatureType: ['EOA', 'ERC1271'],
};

/** Enums whose members are also needed as lower-case names in the order of their numbers: enum → name of the list. */
const nameLists: Readonly<Record<string, string>> = {
  PositionState: 'positionStateNames',
  Purpose: 'purposeNames',
};

/** File name → text of every generated file. Compiles first where that is due. */
export async function sharedFacts(): Promise<ReadonlyMap<string, string>> {
  // Under the lock that every other program takes: two builds at once would remove each other's artifacts.
  await compileContracts();
  const revertPaths = revertSources.map((name) => artifactPaths[name]);
  const revertErrors = revertErrorsOf(revertPaths.map(abiOf));
  const abis = Object.entries(artifactPaths).map(([name, path]) => {
    const abi = abiOf(path);
    return [`${name}.ts`, abiTextOf(name, name === 'vaultAbi' ? withErrors(abi, revertErrors) : abi)] as const;
  });
  const vault = readDeclarations(artifactPaths.vaultAbi, ['src/VaultConstants.sol', 'src/interfaces/IVault.sol']);
  const exchange = readDeclarations(artifactPaths.venueExchangeAbi, ['venue/VenueExchange.sol']);
  const enums = [...vault.enums, ...Object.entries(exchangeEnums).map((entry) => enumOf(entry, exchange.constants))];
  return new Map([
    ...abis,
    ['vaultConstants.ts', constantsTextOf(vault.constants)],
    ['enums.ts', header + enums.map(enumTextOf).join('\n')],
    ['eventTopics.ts', eventTopicsText()],
    ['errorNames.ts', header + errorNamesText(revertErrors)],
    ['revertErrors.ts', header + revertErrorsText(revertErrors, readErrorSentences(revertPaths))],
  ]);
}

/** Names of the generated files that differ from what the contracts say now. */
export async function staleFacts(): Promise<readonly string[]> {
  return [...(await sharedFacts())].filter(([name, text]) => !isWritten(name, text)).map(([name]) => name);
}

/** True when the file already holds this text. */
export function isWritten(name: string, text: string): boolean {
  const path = join(sharedFactsFolder, name);
  return existsSync(path) && readFileSync(path, 'utf8') === text;
}

/** The ABI of an artifact; the artifact is JSON written by a compiler, with its ABI under `abi`. */
function abiOf(artifactPath: string): Abi {
  const artifact: unknown = JSON.parse(readFileSync(artifactPath, 'utf8'));
  if (typeof artifact !== 'object' || artifact === null || !('abi' in artifact) || !Array.isArray(artifact.abi)) {
    throw new Error(`${artifactPath} holds no ABI`);
  }
  return artifact.abi as Abi;
}

/** An ABI with every error that it does not declare itself, but for the two that no ABI declares. */
function withErrors(abi: Abi, errors: readonly AbiErrorEntry[]): Abi {
  const own = new Set(abi.flatMap((entry) => (entry.type === 'error' ? [entry.name] : [])));
  return [...abi, ...errors.filter(({ name }) => !own.has(name) && name !== 'Error' && name !== 'Panic')];
}

function abiTextOf(name: string, abi: Abi): string {
  const entries = abi.map((entry) => `  ${JSON.stringify(entry)},`);
  return `${header}export const ${name} = [\n${entries.join('\n')}\n] as const;\n`;
}

/** Suffix of a constant's name → the quantity it is; the first that fits counts. */
const quantities = [
  ['LeverageBps', 'leverageBps'],
  ['Bps', 'rateBps'],
  ['UsdcUnits', 'usdcUnits'],
  ['TokenUnits', 'tokenUnits'],
  ['Pips', 'pricePips'],
] as const;

/** Spans of time are numbers of seconds, amounts are quantities, counts bigints, and what fits a byte is a number. */
function constantsTextOf(constants: readonly ConstantDeclaration[]): string {
  const entries = constants.map(({ name, value, type, isTime }) => {
    const plain = renamed[name] ?? `${camelCaseOf(name)}${isTime ? 'Seconds' : ''}`;
    const quantity = quantities.find(([suffix]) => plain.endsWith(suffix))?.[1];
    if (quantity !== undefined) return { quantity, line: `  ${plain}: ${quantity}(${value}n),` };
    return { quantity: null, line: `  ${plain}: ${isTime || type === 'uint8' ? value : `${value}n`},` };
  });
  const imports = [...new Set(entries.flatMap(({ quantity }) => quantity ?? []))].toSorted();
  return [
    `${header}import { ${imports.join(', ')} } from '@core/pricing';\n`,
    '/** Every number that the vault and its rules fix for ever. */',
    'export const vaultConstants = {',
    ...entries.map(({ line }) => line),
    '} as const;\n',
  ].join('\n');
}

function enumOf(
  [name, members]: readonly [string, readonly string[]],
  constants: readonly ConstantDeclaration[],
): EnumDeclaration {
  return {
    name,
    members: members.map((member) => {
      const declared = constants.find((constant) => constant.name === member);
      if (declared === undefined) throw new Error(`the exchange declares no ${member}`);
      return [pascalCaseOf(member), Number(declared.value)] as const;
    }),
  };
}

function enumTextOf({ name, members }: EnumDeclaration): string {
  const pairs = members.map(([member, value]) => `${member}: ${value}`).join(', ');
  const list = nameLists[name];
  const names = members.map(([member]) => `'${member.toLowerCase()}'`).join(', ');
  return [
    `export const ${name} = { ${pairs} } as const;`,
    `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
    ...(list === undefined ? [] : [`export const ${list} = [${names}] as const;`]),
    '',
  ].join('\n');
}

const eventSources = [
  ['vaultEventTopics', 'vaultAbi'],
  ['poolEventTopics', 'liquidityPoolAbi'],
  ['exchangeEventTopics', 'venueExchangeAbi'],
] as const;

function eventTopicsText(): string {
  const tables = eventSources.map(([name, abi]) => {
    const events = abiOf(artifactPaths[abi]).filter((entry): entry is AbiEvent => entry.type === 'event');
    const lines = events.map((event) => `  ${event.name}: '${toEventSelector(event)}',`);
    return `/** Name of an event → its first topic. */\nexport const ${name} = {\n${lines.join('\n')}\n} as const;\n`;
  });
  return header + tables.join('\n');
}

function pascalCaseOf(name: string): string {
  return name
    .split('_')
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join('');
}

function camelCaseOf(name: string): string {
  const pascal = pascalCaseOf(name);
  return `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`;
}
