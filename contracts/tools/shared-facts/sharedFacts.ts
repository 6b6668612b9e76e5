import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Abi, type AbiEvent, toEventSelector } from 'viem';
import { type CompiledName, readCompiled, readDeclarations } from '../../local/compilation/compiledContract.ts';
import { conditionalTokensArtifact } from '../../local/compilation/readArtifact.ts';
import type { ConstantDeclaration, EnumDeclaration } from '../../local/compilation/solidityDeclarations.ts';
import { type AbiErrorEntry, errorNamesText, revertErrorsOf, revertErrorsText } from './revertErrors.ts';

/**
 * Everything Solidity and TypeScript share, read from the shipped build and rendered as the TypeScript files of
 * packages/vault/src/generated.
 */
const contractsFolder = dirname(dirname(import.meta.dirname));

/** Folder of the generated files. */
export const sharedFactsFolder = join(contractsFolder, '..', 'packages', 'vault', 'src', 'generated');

const header = '// Written by contracts/tools/shared-facts/main.ts; do not edit.\n';

/** Contract of each ABI, by the name of its file and constant. */
const abiContracts = {
  vaultAbi: 'Vault',
  orderRulesAbi: 'OrderRules',
  liquidityPoolAbi: 'LiquidityPool',
  positionAccountAbi: 'PositionAccount',
  pairFillerAbi: 'PairFiller',
  venueExchangeAbi: 'VenueExchange',
  testUsdcAbi: 'TestUsdc',
  managedTokensAbi: 'TwinPositionManager',
  positionRouterAbi: 'TwinPositionRouter',
  walletFactoryAbi: 'TwinWalletFactory',
  depositWalletAbi: 'TwinDepositWallet',
} as const satisfies Readonly<Record<string, CompiledName>>;

/** ABIs of contracts whose calls may end with any error of the vault. */
const callsVault: ReadonlySet<string> = new Set(['vaultAbi', 'pairFillerAbi']);

/** Contracts whose errors a call of the vault may end with: the vault and all that it calls. */
const revertSources = [
  'Vault',
  'FillRoute',
  'OrderRules',
  'OutcomeRules',
  'LiquidityPool',
  'PositionAccount',
  'TestUsdc',
] as const;

/** Sources of the constants and enums that the vault fixes. */
const vaultSources = ['src/VaultConstants.sol', 'src/interfaces/IVault.sol'];
const exchangeSources = ['venue/VenueExchange.sol'];

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

/** Return the text of every generated file by its name, from the shipped build. */
export function sharedFacts(): ReadonlyMap<string, string> {
  const { constants, enums: declaredEnums, errorSentences } = readDeclarations();
  const of = <Declaration>(table: Readonly<Record<string, readonly Declaration[]>>, sources: readonly string[]) =>
    sources.flatMap((source) => table[source] ?? []);
  const revertErrors = revertErrorsOf(revertSources.map((name) => readCompiled(name).abi));
  const abis = Object.entries(abiContracts).map(([name, contract]) => {
    const { abi } = readCompiled(contract);
    return [`${name}.ts`, abiTextOf(name, callsVault.has(name) ? withErrors(abi, revertErrors) : abi)] as const;
  });
  const exchangeConstants = of(constants, exchangeSources);
  const enums = [
    ...of(declaredEnums, vaultSources),
    ...Object.entries(exchangeEnums).map((entry) => enumOf(entry, exchangeConstants)),
  ];
  return new Map([
    ...abis,
    ['conditionalTokensAbi.ts', abiTextOf('conditionalTokensAbi', conditionalTokensArtifact().abi)],
    ['vaultConstants.ts', constantsTextOf(of(constants, vaultSources))],
    ['enums.ts', header + enums.map(enumTextOf).join('\n')],
    ['eventTopics.ts', eventTopicsText()],
    ['errorNames.ts', header + errorNamesText(revertErrors)],
    ['revertErrors.ts', header + revertErrorsText(revertErrors, errorSentences)],
  ]);
}

/** Return the names of the generated files that differ from the shipped build. */
export function staleFacts(): readonly string[] {
  return [...sharedFacts()].filter(([name, text]) => !isWritten(name, text)).map(([name]) => name);
}

/** True when the file already holds this text. */
export function isWritten(name: string, text: string): boolean {
  const path = join(sharedFactsFolder, name);
  return existsSync(path) && readFileSync(path, 'utf8') === text;
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
  ['vaultEventTopics', 'Vault'],
  ['poolEventTopics', 'LiquidityPool'],
  ['exchangeEventTopics', 'VenueExchange'],
] as const;

function eventTopicsText(): string {
  const tables = eventSources.map(([name, contract]) => {
    const events = readCompiled(contract).abi.filter((entry): entry is AbiEvent => entry.type === 'event');
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
