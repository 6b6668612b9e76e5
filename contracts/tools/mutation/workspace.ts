import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { copyProject } from '../project/copyProject.ts';
import { libraryAddresses, type VaultCode } from './compileVault.ts';
import { reaches } from './imports.ts';
import { withRoundingDown } from './mutantsOf.ts';
import { build, runTests, type TestRun } from './runTests.ts';
import { switchLibrary, switchLibrarySource } from './switches.ts';

const copied = [
  'src',
  'venue',
  'test',
  'local/compilation/compiler.ts',
  'tools/project/testCompilation.ts',
  'package.json',
  'tsconfig.json',
];
/** Tests of the libraries alone, compiled with a mutant of what they import. The others deploy the mutant's code. */
const directTests = new Set(['Money.t.sol', 'Parity.t.sol']);
/** Slowest tests, which seldom kill a mutant alone: they run last. */
const slowTests = new Set(['Campaign.t.sol']);
/** Gas is not behaviour. */
const leftOut = new Set(['Gas.t.sol']);
/**
 * Search intensity of the tests on a mutant, below the profile `deep`, which would take hours: what is killed by
 * few runs is killed by many, so a score can only be too low.
 */
export const intensity = { fuzzRuns: 32, campaignRuns: 1, campaignDepth: 40 } as const;

const unitMath = 'libraries/UnitMath.sol';
/** The one file of the tests that deploys. */
const deployingFixture = 'DeployedVault.sol';
const vaultArtifact = 'Vault.sol:Vault';
const etchings = Object.entries(libraryAddresses)
  .map(([name, address]) => `        vm.etch(address(${address}), vm.parseJsonBytes(json, ".libraries.${name}"));`)
  .join('\n');
const codeOfArtifact = `
    /// @dev The vault under test is compiled apart from the tests; everything else is what the tests build.
    function codeOf(string memory artifact) private returns (bytes memory) {
        if (keccak256(bytes(artifact)) != keccak256("${vaultArtifact}")) return vm.getCode(artifact);
        string memory json = vm.readFile("mutant.json");
${etchings}
        return vm.parseJsonBytes(json, ".vault");
    }
`;

/**
 * A copy of the contracts in which the tests are compiled once against the sources as they are and deploy whatever
 * code `mutant.json` holds. Mutants are written to its src folder.
 */
export class Workspace {
  readonly root: string;

  /** @param folder Of a workspace made before. */
  constructor(folder: string) {
    this.root = join(folder, 'contracts');
  }

  /** Copies the contracts into a folder; tests compiled there before are compiled again only where they changed. */
  static make(folder: string): Workspace {
    const workspace = new Workspace(folder);
    workspace.#make(folder);
    return workspace;
  }

  #make(folder: string): void {
    copyProject(folder, copied);
    rmSync(join(this.root, 'frozen'), { recursive: true, force: true });
    cpSync(join(contractsRoot, 'src'), join(this.root, 'frozen'), { recursive: true });
    this.restore(unitMath);
    writeFileSync(join(this.root, switchLibrary.path), switchLibrarySource);
    this.#writeConfig();
    for (const path of this.#solidityTests()) this.#rewriteTest(path);
    for (const name of readdirSync(join(this.root, 'venue'))) {
      const path = join(this.root, 'venue', name);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('../src/', '../frozen/'));
    }
  }

  build(): Promise<void> {
    return build(this.root);
  }

  /** Takes the compiled tests of another workspace; Hardhat's cache names files by their whole path. */
  copyBuild(from: Workspace): void {
    for (const name of ['artifacts', 'cache']) {
      rmSync(join(this.root, name), { recursive: true, force: true });
      cpSync(join(from.root, name), join(this.root, name), { recursive: true });
    }
    const cache = join(this.root, 'cache/compile-cache.json');
    writeFileSync(cache, readFileSync(cache, 'utf8').replaceAll(`${from.root}/`, `${this.root}/`));
  }

  /**
   * Runs the tests on the code in `mutant.json`, the quick ones first and the slow ones last, until one fails.
   *
   * @param changed The changed source: tests of the libraries alone run only when they import it. By default all run.
   */
  async test(changed?: string): Promise<TestRun> {
    const run = await this.testQuickly();
    if (run.kind !== 'passed') return run;
    const direct = this.#solidityTests()
      .filter((path) => directTests.has(basename(path)))
      .filter((test) => changed === undefined || reaches(this.root, [test, `src/${changed}`]));
    const directRun = direct.length === 0 ? run : await runTests(this.root, direct, false);
    return directRun.kind === 'passed' ? runTests(this.root, this.#deployingTests({ areSlow: true }), true) : directRun;
  }

  /** Runs the quick tests that deploy the code in `mutant.json`, until one fails. */
  testQuickly(): Promise<TestRun> {
    return runTests(this.root, this.#deployingTests({ areSlow: false }), true);
  }

  #deployingTests({ areSlow }: { readonly areSlow: boolean }): readonly string[] {
    return this.#solidityTests()
      .filter((path) => path.endsWith('.t.sol') && !directTests.has(basename(path)))
      .filter((path) => slowTests.has(basename(path)) === areSlow);
  }

  /** Writes a source file; UnitMath also gets the rounding that a mutant may call. */
  write(file: string, source: string): void {
    writeFileSync(join(this.root, 'src', file), file === unitMath ? withRoundingDown(source) : source);
  }

  /** Puts a source file back as the contracts have it. */
  restore(file: string): void {
    this.write(file, this.readSource(file));
  }

  /** A source file as the contracts have it. */
  readSource(file: string): string {
    return readFileSync(join(this.root, 'frozen', file), 'utf8');
  }

  writeCode(code: VaultCode): void {
    writeFileSync(join(this.root, 'mutant.json'), JSON.stringify(code));
  }

  readCode(): VaultCode {
    const code: VaultCode = JSON.parse(readFileSync(join(this.root, 'mutant.json'), 'utf8'));
    return code;
  }

  #writeConfig(): void {
    const config = readFileSync(join(contractsRoot, 'hardhat.config.ts'), 'utf8');
    const { fuzzRuns, campaignRuns, campaignDepth } = intensity;
    const invariant = `invariant: { runs: ${campaignRuns}, depth: ${campaignDepth}, failOnRevert: true }`;
    const profile = `default: { fsPermissions, fuzz: { runs: ${fuzzRuns}, seed: '0x2a' }, ${invariant} },`;
    const here = replaced(config, "sources: ['./src', './venue']", "sources: ['./venue']");
    // Everything is compiled beforehand: with one folder of artifacts, a run of tests has nothing to look after.
    const together = replaced(here, 'splitTestsCompilation: true', 'splitTestsCompilation: false');
    const readable = replaced(together, 'readFile: [', "readFile: ['./mutant.json', ");
    const short = replaced(readable, /default: \{\s*fsPermissions[\s\S]*?\},(?=\s*deep:)/, profile);
    writeFileSync(join(this.root, 'hardhat.config.ts'), short);
  }

  /** Every Solidity file of the tests, by its path from the root, in a fixed order. */
  #solidityTests(): readonly string[] {
    const entries = readdirSync(join(this.root, 'test'), { recursive: true, encoding: 'utf8' });
    return entries
      .filter((path) => path.endsWith('.sol'))
      .map((path) => `test/${path}`)
      .sort();
  }

  #rewriteTest(test: string): void {
    const path = join(this.root, test);
    const name = basename(test);
    if (leftOut.has(name)) {
      rmSync(path);
      return;
    }
    if (directTests.has(name)) return;
    const text = readFileSync(path, 'utf8').replaceAll('../src/', '../frozen/');
    writeFileSync(path, name === deployingFixture ? deployingMutant(text) : text);
  }
}

/** The fixture, with the vault's code taken from `mutant.json`. */
function deployingMutant(fixture: string): string {
  if (!fixture.includes(`deploy("${vaultArtifact}"`)) throw new Error(`the fixture deploys no ${vaultArtifact}`);
  return replaced(replaced(fixture, 'vm.getCode(artifact)', 'codeOf(artifact)'), /\}\s*$/, `${codeOfArtifact}}\n`);
}

/** @throws when there is nothing to replace, so that a change of the contracts' room is noticed here. */
function replaced(text: string, what: string | RegExp, by: string): string {
  const result = text.replace(what, () => by);
  if (result === text) throw new Error(`nothing to replace: ${what}`);
  return result;
}
