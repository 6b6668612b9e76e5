import type { Row } from './harness/row.ts';
import { debtTick } from './rows/debtTick.ts';
import { pricingCore } from './rows/pricingCore.ts';
import { quoteSignature } from './rows/quoteSignature.ts';

/** Every measured row, in the order of the table. */
export const rows: readonly Row[] = [quoteSignature, pricingCore, debtTick];
