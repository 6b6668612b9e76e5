import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import hardhatToolboxViem from '@nomicfoundation/hardhat-toolbox-viem';
import { configVariable, defineConfig } from 'hardhat/config';
import { compilerVersion, shippedSettings } from './local/compilation/compiler.ts';
import { testCompilation } from './tools/project/testCompilation.ts';

const require = createRequire(import.meta.url);

/** The compiler comes from npm, so that a build needs no download. */
const solcPath = require.resolve('solc/soljson.js');

/**
 * Files of Solidity tests: vectors and moves of a position shared with TypeScript, the real ConditionalTokens, and the
 * page for providers, whose figures are a test's.
 */
const fsPermissions = {
  readDirectory: ['../packages/position/testing', '../packages/pricing/testing', '../packages/vault/testing'],
  readFile: [
    './node_modules/@gnosis.pm/conditional-tokens-contracts/build/contracts/ConditionalTokens.json',
    '../docs/liquidity.md',
  ],
};

/** File with the key that pays for a deployment: a file shows no key in a list of processes. */
const deployKeyFile = process.env['DEPLOY_KEY_FILE'];

export default defineConfig({
  plugins: [hardhatToolboxViem, testCompilation],
  solidity: {
    // Tests deploy from artifacts: whatever test is run, the contracts are built first.
    splitTestsCompilation: true,
    profiles: {
      default: { version: compilerVersion, path: solcPath, settings: shippedSettings },
      // What Ignition deploys is the build that was tested, not a second one of each contract alone.
      production: { isolated: false, version: compilerVersion, path: solcPath, settings: shippedSettings },
    },
  },
  networks: {
    // Read only when this network is used: `--network configured`.
    configured: {
      type: 'http',
      url: configVariable('DEPLOY_RPC_URL'),
      accounts: deployKeyFile === undefined ? [] : [readFileSync(deployKeyFile, 'utf8').trim()],
    },
  },
  paths: {
    sources: ['./src', './venue'],
    tests: { nodejs: './test', solidity: './test' },
  },
  test: {
    solidity: {
      profiles: {
        // Fuzz tests draw the same inputs every time, campaigns new ones; `deep` draws new ones for both.
        default: {
          fsPermissions,
          fuzz: { runs: 256, seed: '0x5eed' },
          invariant: { runs: 60, depth: 60, failOnRevert: true },
        },
        deep: { fsPermissions, fuzz: { runs: 10_000 }, invariant: { runs: 1024, depth: 64, failOnRevert: true } },
      },
    },
  },
});
