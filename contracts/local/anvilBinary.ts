import { createRequire } from 'node:module';

const nodeRequire = createRequire(import.meta.url);
const platformNames: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The program of a chain that runs as a process of its own; null where there is none for this machine. */
export function anvilBinary(): string | null {
  const name = `${process.platform}-${platformNames[process.arch] ?? process.arch}`;
  // Its package is a shell around one package per platform.
  const parent = createRequire(nodeRequire.resolve('@foundry-rs/anvil/package.json'));
  try {
    return parent.resolve(`@foundry-rs/anvil-${name}/bin/anvil`);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    return null;
  }
}
