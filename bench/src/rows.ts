import type { Row } from './harness/row.ts';
import { debtTick } from './rows/debtTick.ts';
import { fanOut } from './rows/fanOut.ts';
import { listMarkets } from './rows/listMarkets.ts';
import { listPositions } from './rows/listPositions.ts';
import { hotMarket, postQuotes } from './rows/postQuotes.ts';
import { pricingCore } from './rows/pricingCore.ts';
import { quoteSignature } from './rows/quoteSignature.ts';
import { remoteSignature } from './rows/remoteSignature.ts';

/** All measured rows, in the order of the table. */
export const rows: readonly Row[] = [
  quoteSignature,
  remoteSignature,
  pricingCore,
  debtTick,
  postQuotes,
  hotMarket,
  listMarkets,
  listPositions,
  fanOut,
];
