import type { ContractInfoWire } from '@core/wire';
import type { Hex } from 'viem';
import type { ApiClient } from '../clients/apiClient.ts';
import type { Wallet } from '../clients/wallet.ts';
import type { StepPrinter } from '../stepPrinter.ts';

/** Dependencies of every step: the service, its contract terms, and the printer. */
export interface Driver {
  readonly api: ApiClient;
  readonly printer: StepPrinter;
  readonly contractInfo: ContractInfoWire;
}

/** A position of the demo with the token of its user. */
export interface DemoPosition {
  readonly wallet: Wallet;
  readonly token: string;
  readonly key: Hex;
}
