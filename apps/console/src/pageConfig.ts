type Hex = `0x${string}`;

/** Public configuration of a page, served as `config.json` beside it. It contains no secret. */
export interface PageConfig {
  readonly apiUrl: string;
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly vault: Hex;
  readonly pool: Hex;
  /** Origin of the chain's block explorer; null where it has none. */
  readonly explorerUrl: string | null;
  /** Named development accounts of a local chain, with public keys; empty elsewhere. */
  readonly accounts: readonly NamedAccount[];
  /** True when the server of the page forwards requests to a venue simulator. */
  readonly hasVenueControl: boolean;
  /** True when the server of the page forwards requests to operational endpoints. */
  readonly hasOperations: boolean;
}

export interface NamedAccount {
  readonly name: string;
  readonly address: Hex;
  readonly privateKey: Hex;
}
