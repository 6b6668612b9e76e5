import type { ContractCall, Hex, Wallet } from '../chain/wallet.ts';
import type { ExitSource } from './readHoldings.ts';

/** Connected wallet, with the node and contracts of its holdings. */
export interface ExitOwner {
  readonly source: ExitSource;
  readonly chainId: number;
  readonly wallet: Wallet;
  readonly address: Hex;
}

/** Send a call, after an allowance of the vault for the USDC units that it takes. */
export type Act = (call: ContractCall, paidUsdcUnits?: bigint) => void;
