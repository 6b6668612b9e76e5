import { type RateBps, rateBps } from '@core/pricing';
import { z } from 'zod';
import type { TopHolder } from '../port/venueClient.ts';
import { scaledOf } from '../text/decimal.ts';
import { decimalText } from './wireTypes.ts';

/**
 * Answer of `GET /holders?market=`: per token its largest holders, and either the share of the largest (0 to 1) or the
 * total they are a part of. Without both, the listed holders count as all of them.
 */
const wireTokenSchema = z.looseObject({
  token: z.string(),
  holders: z.array(z.looseObject({ amount: decimalText })),
  largest_share: decimalText.nullish(),
  total_supply: decimalText.nullish(),
});

/** Answer of `GET /holders`; null for a market that the data server does not know. */
export const wireHoldersSchema = z
  .array(wireTokenSchema)
  .nullable()
  .transform((tokens) => tokens ?? []);

type WireToken = z.output<typeof wireTokenSchema>;

const tokenDecimals = 6;
const fullBps = 10_000n;
const shareDecimals = 8;

/** ⌈part / whole⌉ in basis points; a whole that is smaller than its part counts as its part. */
const shareOf = (part: bigint, whole: bigint): RateBps | null => {
  const total = whole < part ? part : whole;
  return total === 0n ? null : rateBps((part * fullBps + total - 1n) / total);
};

const largestShareOf = (wire: WireToken): RateBps | null | undefined => {
  if (wire.largest_share !== null && wire.largest_share !== undefined) {
    const share = scaledOf(wire.largest_share, shareDecimals, 'down');
    const whole = 10n ** BigInt(shareDecimals);
    return share === null || share < 0n || share > whole ? undefined : shareOf(share, whole);
  }
  const amounts = wire.holders.map(({ amount }) => scaledOf(amount, tokenDecimals, 'down'));
  if (amounts.some((amount) => amount === null || amount < 0n)) {
    return undefined;
  }
  const readable = amounts.filter((amount) => amount !== null);
  const largest = readable.reduce((maximum, amount) => (amount > maximum ? amount : maximum), 0n);
  const listed = readable.reduce((sum, amount) => sum + amount, 0n);
  const total = wire.total_supply ? scaledOf(wire.total_supply, tokenDecimals, 'down') : listed;
  return total === null ? undefined : shareOf(largest, total);
};

/** The largest holder's share of each token, rounded up; null when an amount in the answer cannot be read. */
export function topHoldersOf(wire: z.output<typeof wireHoldersSchema>): readonly TopHolder[] | null {
  const holders: TopHolder[] = [];
  for (const token of wire) {
    const largestShareBps = largestShareOf(token);
    if (largestShareBps === undefined) {
      return null;
    }
    holders.push({ tokenId: token.token, largestShareBps });
  }
  return holders;
}
