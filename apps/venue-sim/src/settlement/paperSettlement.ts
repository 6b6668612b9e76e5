import { type Hex, keccak256, maxUint256, toHex } from 'viem';
import { formatSize } from '../units/decimals.ts';
import type { Settlement, SettlementMatch } from './settlement.ts';

/** Balance of every account in every asset, units. */
const paperUnits = 1_000_000_000_000n;

/** Settlement of a venue without a chain. Hashes are generated and deterministic. */
export function paperSettlement(): Settlement {
  let count = 0;
  const hashOf = (text: string): Hex => keccak256(toHex(text));
  return {
    isOnChain: false,
    traps: null,
    list: () => Promise.resolve(),
    refusalOf: () => Promise.resolve(null),
    balanceOf: () => Promise.resolve({ balanceUnits: paperUnits, allowanceUnits: maxUint256 }),
    settle: (match: SettlementMatch, mustRevert) => {
      count += 1;
      const size = formatSize(match.fills.reduce((sum, fill) => sum + fill.tokenUnits, 0n));
      return Promise.resolve({
        transactionHash: hashOf(`${match.market.slug}/${match.taker.salt}/${size}/${count}`),
        isSuccess: !mustRevert,
      });
    },
    isSettled: () => Promise.resolve(false),
    report: () => Promise.resolve(null),
    advance: () => Promise.resolve(),
  };
}
