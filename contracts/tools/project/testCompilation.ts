import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HardhatPlugin } from 'hardhat/types/plugins';

/**
 * Tests that say something only when compiled with the settings that ship: those that compile a library into
 * themselves, and the one whose own gas is kept in the snapshot.
 */
const shippedTests = new Set(['parity/Parity.t.sol', 'unit/money/Money.t.sol', 'gas/Gas.t.sol']);

/** The old code generator without an optimizer: what it writes is slower, and written in a tenth of the time. */
const quickSettings = { viaIR: false, optimizer: { enabled: false } } as const;

/** Stands in an output selection for every source of the tests. */
const testSources = 'sources of tests';

/**
 * Compiles tests, and with them the fixtures that each of them inherits, in a fraction of the time. What they test they
 * deploy from artifacts of the build that ships: neither their own settings nor a second compilation of the contracts
 * they name says anything about it.
 */
export const testCompilation: HardhatPlugin = {
  id: 'test-compilation',
  hookHandlers: {
    config: async () => ({
      default: async () => ({
        resolveUserConfig: async (userConfig, resolveVariable, next) => {
          const config = await next(userConfig, resolveVariable);
          const profile = config.solidity.profiles['default'];
          const shipped = profile?.compilers[0];
          if (profile === undefined || shipped === undefined) throw new Error('there is no default build profile');
          const settings = { ...shipped.settings, outputSelection: { [testSources]: {} } };
          // Hardhat compiles together what has the very same configuration object.
          const asShipped = { ...shipped, settings };
          const quick = { ...shipped, settings: { ...settings, ...quickSettings } };
          for (const path of readdirSync(join(config.paths.root, 'test'), { recursive: true, encoding: 'utf8' })) {
            if (path.endsWith('.sol')) profile.overrides[`test/${path}`] = shippedTests.has(path) ? asShipped : quick;
          }
          return config;
        },
      }),
    }),
    solidity: async () => ({
      default: async () => ({
        preprocessSolcInputBeforeBuilding: async (context, input, next) => {
          const { [testSources]: marker, '*': outputs } = input.settings.outputSelection;
          if (marker === undefined || outputs === undefined) return next(context, input);
          const tests = Object.keys(input.sources).filter((source) => source.startsWith('project/test/'));
          const outputSelection = Object.fromEntries(tests.map((source) => [source, outputs]));
          return next(context, { ...input, settings: { ...input.settings, outputSelection } });
        },
      }),
    }),
  },
};
