import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Abi } from 'viem';
import { contractsRoot } from '../contractsRoot.ts';
import type { SolidityDeclarations } from './solidityDeclarations.ts';

/** Folder of the shipped build, in the repository; `gen` brings it up to date. */
export const compiledFolder = join(contractsRoot, 'compiled');

/** Bytes of code that a deployment fills. */
export interface CodeGap {
  readonly start: number;
  readonly length: number;
}

/** Gaps by the name of the library or immutable that fills them. */
export type CodeGaps = Readonly<Record<string, readonly CodeGap[]>>;

/** A contract of the shipped build. */
export interface CompiledContract {
  readonly abi: Abi;
  /** Creation code, with the gaps that a deployment fills. */
  readonly bytecode: string;
  readonly libraries: CodeGaps;
  readonly deployedBytecode: string;
  readonly deployedLibraries: CodeGaps;
  /** Immutables by their name in the source. */
  readonly immutables: CodeGaps;
}

/** The contracts of the shipped build by name, each with the folder of its source. */
export const compiledContracts = {
  Vault: 'src',
  FillRoute: 'src',
  OrderRules: 'src',
  OutcomeRules: 'src',
  Settlement: 'src',
  VaultParts: 'src',
  LiquidityPool: 'src',
  PositionAccount: 'src',
  PairFiller: 'src/periphery',
  VenueExchange: 'venue',
  TwinExchange: 'venue',
  TwinDepositWallet: 'venue',
  TwinWalletBeacon: 'venue',
  TwinWalletFactory: 'venue',
  TwinPositionManager: 'venue',
  TwinBinaryModule: 'venue',
  TwinPositionRouter: 'venue',
  TwinOracleAggregator: 'venue',
  TestUsdc: 'venue',
} as const;

/** Name of a contract of the shipped build. */
export type CompiledName = keyof typeof compiledContracts;

/** Names of the contracts of the shipped build. */
export const compiledNames = Object.keys(compiledContracts).filter(
  (name): name is CompiledName => name in compiledContracts,
);

/** Name of the file with everything TypeScript reads from the sources besides ABIs. */
export const declarationsFile = 'declarations.json';

/** Read a contract of the shipped build. */
export function readCompiled(name: CompiledName): CompiledContract {
  const contract: CompiledContract = JSON.parse(readFileSync(join(compiledFolder, `${name}.json`), 'utf8'));
  return contract;
}

/** Read the constants, enums and sentences of errors of the shipped build. */
export function readDeclarations(): SolidityDeclarations {
  const declarations: SolidityDeclarations = JSON.parse(readFileSync(join(compiledFolder, declarationsFile), 'utf8'));
  return declarations;
}
