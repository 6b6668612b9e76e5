export type Hex = `0x${string}`;

/** A call of a contract. */
export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
}

/** Who signs: a wallet of the browser, or a named account of a local chain. */
export interface Wallet {
  readonly name: string;
  /** Asks the wallet which account to use. */
  connect(): Promise<Hex>;
  /** True when the wallet would sign for the address without asking anew. */
  has(address: Hex): Promise<boolean>;
  signMessage(address: Hex, message: string): Promise<Hex>;
  /** Sends from the address on this chain; the hash. */
  send(address: Hex, call: ContractCall): Promise<Hex>;
}
