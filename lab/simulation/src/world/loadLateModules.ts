import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const isSource = (file: string): boolean => !/\.(test|prop|test-d|prop\.test)\.ts$/.test(file);

/** Load the modules that programs load at their first use: in a simulated world no module is loaded late. */
export async function loadLateModules(): Promise<void> {
  const folders = ['chain', 'quotes', 'positions', 'events', 'http'];
  const files = folders.flatMap((folder) => globSync(path.join(root, 'packages/sdk/src', folder, '*.ts')));
  for (const file of files.filter(isSource)) await import(pathToFileURL(file).href);
  const prisma = createRequire(path.join(root, 'packages/store/package.json'));
  for (const name of ['query_compiler_fast_bg.postgresql.mjs', 'query_compiler_fast_bg.postgresql.wasm-base64.mjs']) {
    await import(pathToFileURL(prisma.resolve(`@prisma/client/runtime/${name}`)).href);
  }
  const sdk = createRequire(path.join(root, 'packages/sdk/package.json'));
  for (const name of ['ws', 'viem/utils', 'viem/actions', 'viem/accounts']) {
    await import(pathToFileURL(sdk.resolve(name)).href);
  }
}
