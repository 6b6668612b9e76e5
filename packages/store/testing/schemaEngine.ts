import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';

export const prismaFolder = fileURLToPath(new URL('../prisma', import.meta.url));

type WasmExports = Readonly<Record<string, unknown>>;

/** The two functions used here; the compiler's library has them only together with a browser's globals. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<{ readonly exports: WasmExports }>;
};

interface EngineModule {
  readonly SchemaEngine: typeof SchemaEngine;
  readonly __wbg_set_wasm: (exports: WasmExports) => void;
}

/**
 * Prisma's schema engine as WebAssembly: it speaks to the database through the same `pg` adapter as the client, so no
 * engine binary is downloaded. The package's exports map hides its wasm file, hence the path beside its entry.
 */
export async function openSchemaEngine(databaseUrl: string): Promise<SchemaEngine> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const engineModule = await loadEngine(folder);
  const schema = await readFile(path.join(prismaFolder, 'schema.prisma'), 'utf8');
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl }));
  return engineModule.SchemaEngine.new({ datamodels: [['schema.prisma', schema]] }, () => undefined, adapter);
}

async function loadEngine(folder: string): Promise<EngineModule> {
  const engineModule: EngineModule = await import(pathToFileURL(path.join(folder, 'schema_engine_bg.js')).href);
  const binary = await WebAssembly.compile(await readFile(path.join(folder, 'schema_engine_bg.wasm')));
  const instance = await WebAssembly.instantiate(binary, {
    './schema_engine_bg.js': { ...engineModule },
  });
  const { __wbg_set_wasm: setWasm } = engineModule;
  setWasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start === 'function') {
    start();
  }
  return engineModule;
}
