import type { buildModule } from '@nomicfoundation/hardhat-ignition/modules';
import { vaultLibraryNames } from '../local/vaultLibraries.ts';

type ModuleBuilder = Parameters<Parameters<typeof buildModule>[1]>[0];

/** The libraries of the vault's code, each deployed by the module, as `m.contract` takes them. */
export function vaultLibrariesOf(m: ModuleBuilder) {
  return Object.fromEntries(vaultLibraryNames.map((name) => [name, m.library(name)]));
}
