import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rulesAddress, type VaultCode } from './compileVault.ts';
import { withRoundingDown } from './mutantsOf.ts';

const contractsRoot = fileURLToPath(new URL('..', import.meta.url));
/** Tests of the libraries alone: small, so they are compiled with each mutant. The others deploy the mutant's code. */
const directTests = new Set(['Money.t.sol', 'Parity.t.sol']);
/** Gas is not behaviour. */
const leftOut = new Set(['Gas.t.sol']);
const fuzzRuns = 32;
const campaignRuns = 3;
const campaignDepth = 40;

const deployMutant = `
    /// @dev The vault under test, compiled apart from the tests.
    function deployVault(Vault.Deployment memory d) internal returns (Vault deployed) {
        string memory json = vm.readFile("mutant.json");
        vm.etch(address(${rulesAddress}), vm.parseJsonBytes(json, ".rules"));
        bytes memory code = bytes.concat(vm.parseJsonBytes(json, ".vault"), abi.encode(d));
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
            if iszero(deployed) {
                returndatacopy(0x00, 0x00, returndatasize())
                revert(0x00, returndatasize())
            }
        }
    }
`;

/**
 * A copy of the contracts in which the tests are compiled once against the sources as they are and deploy whatever
 * code `mutant.json` holds. Mutants are written to its src folder.
 */
export class Workspace {
  readonly root: string;
  readonly #folder: string;
  readonly #kept: boolean;

  /** @param kept A folder to use and keep, so that the tests need not be compiled again; by default a new one. */
  constructor(kept?: string) {
    this.#kept = kept !== undefined;
    this.#folder = kept ?? mkdtempSync(join(tmpdir(), 'mutation-'));
    this.root = join(this.#folder, 'contracts');
    mkdirSync(join(this.root, 'test'), { recursive: true });
    this.#link(resolve(contractsRoot, '../packages'), join(this.#folder, 'packages'));
    this.#link(join(contractsRoot, 'node_modules'), join(this.root, 'node_modules'));
    for (const name of ['src', 'frozen', 'venue', 'test'])
      rmSync(join(this.root, name), { recursive: true, force: true });
    for (const name of ['src', 'venue', 'test/solidity', 'package.json', 'tsconfig.json']) {
      cpSync(join(contractsRoot, name), join(this.root, name), { recursive: true });
    }
    cpSync(join(contractsRoot, 'src'), join(this.root, 'frozen'), { recursive: true });
    const unitMath = join(this.root, 'src/libraries/UnitMath.sol');
    writeFileSync(unitMath, withRoundingDown(readFileSync(unitMath, 'utf8')));
    this.#writeConfig();
    for (const name of readdirSync(join(this.root, 'test/solidity'))) this.#rewriteTest(name);
    for (const name of readdirSync(join(this.root, 'venue'))) {
      const path = join(this.root, 'venue', name);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('../src/', '../frozen/'));
    }
  }

  /** Sources a mutant may change, relative to the root: everything but interfaces. */
  sourceFiles(): string[] {
    const entries = readdirSync(join(this.root, 'src'), { recursive: true, encoding: 'utf8' });
    return entries.filter((path) => path.endsWith('.sol') && !path.startsWith('interfaces')).sort();
  }

  read(file: string): string {
    return readFileSync(join(this.root, 'src', file), 'utf8');
  }

  write(file: string, source: string): void {
    writeFileSync(join(this.root, 'src', file), source);
  }

  writeCode(code: VaultCode): void {
    writeFileSync(join(this.root, 'mutant.json'), JSON.stringify(code));
  }

  remove(): void {
    if (!this.#kept) rmSync(this.#folder, { recursive: true, force: true });
  }

  #link(target: string, path: string): void {
    if (!existsSync(path)) symlinkSync(target, path);
  }

  #writeConfig(): void {
    const path = join(this.root, 'hardhat.config.ts');
    const config = readFileSync(join(contractsRoot, 'hardhat.config.ts'), 'utf8')
      .replace("sources: ['./src', './venue']", "sources: ['./venue']")
      .replace('readFile: [', "readFile: ['./mutant.json', ")
      .replace(/default: \{ fsPermissions.*$/m, () => {
        const invariant = `invariant: { runs: ${campaignRuns}, depth: ${campaignDepth}, failOnRevert: true }`;
        return `default: { fsPermissions, fuzz: { runs: ${fuzzRuns}, seed: '0x2a' }, ${invariant} },`;
      });
    writeFileSync(path, config);
  }

  #rewriteTest(name: string): void {
    const path = join(this.root, 'test/solidity', name);
    if (leftOut.has(name)) {
      rmSync(path);
      return;
    }
    if (directTests.has(name)) return;
    let text = readFileSync(path, 'utf8')
      .replaceAll('../../src/', '../../frozen/')
      .replace(/new Vault\(/g, 'deployVault(');
    if (name === 'VaultFixture.sol') text = text.replace(/\}\s*$/, `${deployMutant}}\n`);
    writeFileSync(path, text);
  }
}
