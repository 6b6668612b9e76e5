import type { ContractInfoWire } from '@core/wire';
import type { Hex } from 'viem';
import type { ApiClient } from '../clients/apiClient.ts';
import type { Wallet } from '../clients/wallet.ts';
import type { StepPrinter } from '../stepPrinter.ts';

/** What every step is made with: the service, what it says of the contracts, and where the step is printed. */
export interface Driver {
  readonly api: ApiClient;
  readonly printer: StepPrinter;
  readonly contractInfo: ContractInfoWire;
}

/** A position of the demo, with its user's token. */
export interface DemoPosition {
  readonly wallet: Wallet;
  readonly token: string;
  readonly key: Hex;
}
