export type Hex = `0x${string}`;

/** Call of a contract. */
export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
}

/** Wallet with its account, and the node and chain of this page. */
export interface Sender {
  readonly wallet: Wallet;
  readonly address: Hex;
  readonly rpcUrl: string;
  readonly chainId: number;
}

/** Signer: a browser wallet, or a named account of a local chain. */
export interface Wallet {
  readonly name: string;
  /** Ask the wallet which account to use. */
  connect(): Promise<Hex>;
  /** Return true when the wallet can sign for the address without a new permission. */
  has(address: Hex): Promise<boolean>;
  signMessage(address: Hex, message: string): Promise<Hex>;
  /** Send from the address on this chain and return the hash. */
  send(address: Hex, call: ContractCall): Promise<Hex>;
}
