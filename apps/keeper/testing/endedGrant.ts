import { hashOf, walletOf } from '@core/position/testing';
import type { EndedGrantRecord } from '@core/store';
import { Purpose } from '@core/vault';

export const authorizedAtMs = 1_000_000_000;
/** A grant of twelve seconds that ended so many seconds after its authorisation. */
export const grantOf = (
  seconds: number,
  filledUnits: bigint,
  changes: Partial<EndedGrantRecord> = {},
): EndedGrantRecord => ({
  chainKey: 'c',
  blockNumber: 9n,
  logIndex: 0,
  transactionHash: hashOf(1),
  transactionIndex: 0,
  contractAddress: walletOf(1),
  name: 'GrantEnded',
  subject: hashOf(2),
  arguments: { positionKey: hashOf(2), purpose: Purpose.Open, filledUnits },
  blockTimeMs: authorizedAtMs + seconds * 1_000,
  category: 'crypto',
  entryPricePips: 5_050n,
  authorization: {
    positionKey: hashOf(2),
    purpose: Purpose.Open,
    mostUnits: 100n,
    markPips: 5_000n,
    startPips: 5_000n,
    limitPips: 5_100n,
    venueFeeBps: 0,
    validFor: 12,
    endsAt: BigInt(authorizedAtMs / 1_000 + 12),
  },
  authorizedAtMs,
  isEndedByFill: false,
  fills: [],
  ...changes,
});
