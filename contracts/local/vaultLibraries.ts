import type { Address } from 'viem';

/** The libraries of the vault's code by the names it links them with; none links another. */
export const vaultLibraryNames = ['FillRoute', 'OrderRules', 'OutcomeRules', 'Settlement', 'VaultParts'] as const;

export type VaultLibraries = Readonly<Record<(typeof vaultLibraryNames)[number], Address>>;
