import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileContracts } from '../local/compileContracts.ts';

/**
 * Compiles the contracts where that is due, and writes their ABIs as TypeScript constants into
 * packages/vault/src/generated. The text depends on the ABI alone, and a file that would not change is not touched.
 */
const contractsFolder = dirname(import.meta.dirname);
const outputFolder = join(contractsFolder, '..', 'packages', 'vault', 'src', 'generated');
const require = createRequire(import.meta.url);

/** Where Hardhat leaves the artifact of a contract. */
function compiledPath(folder: string, contractName: string): string {
  return join(contractsFolder, 'artifacts', folder, `${contractName}.sol`, `${contractName}.json`);
}

/** File and constant name → where the compiler, or the npm package, left the artifact. */
const artifactPaths: Readonly<Record<string, string>> = {
  vaultAbi: compiledPath('src', 'Vault'),
  orderRulesAbi: compiledPath('src', 'OrderRules'),
  liquidityPoolAbi: compiledPath('src', 'LiquidityPool'),
  positionAccountAbi: compiledPath('src', 'PositionAccount'),
  venueExchangeAbi: compiledPath('venue', 'VenueExchange'),
  testUsdcAbi: compiledPath('venue', 'TestUsdc'),
  conditionalTokensAbi: require.resolve(
    '@gnosis.pm/conditional-tokens-contracts/build/contracts/ConditionalTokens.json',
  ),
};

/** The ABI of an artifact; the artifact is JSON written by a compiler, with its ABI under `abi`. */
function abiOf(artifactPath: string): readonly unknown[] {
  const artifact: unknown = JSON.parse(readFileSync(artifactPath, 'utf8'));
  if (typeof artifact !== 'object' || artifact === null || !('abi' in artifact) || !Array.isArray(artifact.abi)) {
    throw new Error(`${artifactPath} holds no ABI`);
  }
  return artifact.abi;
}

// Under the lock that every other program takes: two builds at once would remove each other's artifacts.
await compileContracts();
mkdirSync(outputFolder, { recursive: true });
for (const [name, artifactPath] of Object.entries(artifactPaths)) {
  const entries = abiOf(artifactPath).map((entry) => `  ${JSON.stringify(entry)},`);
  const text = `// Written by contracts/scripts/writeAbi.ts; do not edit.\nexport const ${name} = [\n${entries.join('\n')}\n] as const;\n`;
  const outputPath = join(outputFolder, `${name}.ts`);
  if (!existsSync(outputPath) || readFileSync(outputPath, 'utf8') !== text) writeFileSync(outputPath, text);
}
