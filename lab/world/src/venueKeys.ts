import type { Hex } from 'viem';

interface Account {
  readonly privateKey: Hex;
}

/** Accounts of the venue on a local chain. */
export interface VenueRoles {
  readonly venueOperator: Account;
  readonly oracle: Account;
  readonly makers: readonly Account[];
  readonly takers: readonly Account[];
}

/** Return the private keys of the simulator, as its file holds them. */
export function venueKeysText({ venueOperator, oracle, makers, takers }: VenueRoles): string {
  const keysOf = (accounts: readonly Account[]): readonly Hex[] => accounts.map(({ privateKey }) => privateKey);
  const keys = { operator: venueOperator.privateKey, oracle: oracle.privateKey };
  return JSON.stringify({ ...keys, makers: keysOf(makers), takers: keysOf(takers) });
}
