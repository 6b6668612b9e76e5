import { z } from 'zod';
import { decimalText } from './wireTypes.ts';

/** Answer of the data server's `GET /trades?market=`: everybody's trades, newest first. Amounts stay text. */
export const publicTradesSchema = z.array(
  z.looseObject({
    proxyWallet: z.string(),
    side: z.enum(['BUY', 'SELL']),
    asset: z.string(),
    conditionId: z.string(),
    size: decimalText,
    price: decimalText,
    timestamp: decimalText,
    transactionHash: z.string().nullish(),
  }),
);
