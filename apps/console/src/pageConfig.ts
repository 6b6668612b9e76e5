type Hex = `0x${string}`;

/** What a page needs to know, `config.json` beside it. Nothing of it is secret. */
export interface PageConfig {
  readonly apiUrl: string;
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly vault: Hex;
  readonly pool: Hex;
  /** Named development accounts of a local chain, whose keys are public; none elsewhere. */
  readonly accounts: readonly NamedAccount[];
  /** True where the program that serves the page also reaches a venue simulator. */
  readonly hasVenueControl: boolean;
  /** True where it also reaches what operators look at. */
  readonly hasOperations: boolean;
}

export interface NamedAccount {
  readonly name: string;
  readonly address: Hex;
  readonly privateKey: Hex;
}
