import { rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import type { PositionDebt } from '@core/sdk';
import { vaultAbi } from '@core/vault';
import { chainReaderOf } from '../chain/chain.ts';
import type { Hex } from '../chain/wallet.ts';
import { type PoolLog, readPoolLogs } from '../provide/poolLogs.ts';
import type { PoolSource } from '../provide/readPool.ts';

/** Position with an outstanding loan, as the vault stores it. */
export interface ChainDebt {
  readonly positionKey: Hex;
  /** Token id of the venue, in decimal. */
  readonly tokenId: string;
  readonly debt: PositionDebt;
}

/** Read every position with an outstanding loan. */
export async function readDebts(source: PoolSource): Promise<readonly ChainDebt[]> {
  const reader = chainReaderOf(source.rpcUrl);
  const vault = { address: source.vault, abi: vaultAbi } as const;
  return Promise.all(
    outstandingOf(await readPoolLogs(source)).map(async ({ positionKey, outcomeId }) => {
      const [position, [principal, fees], { tokenId }] = await Promise.all([
        reader.readContract({ ...vault, functionName: 'positionOf', args: [positionKey] }),
        reader.readContract({ ...vault, functionName: 'debtOf', args: [positionKey] }),
        reader.readContract({ ...vault, functionName: 'outcomeOf', args: [outcomeId] }),
      ]);
      const debt = {
        principalUsdcUnits: usdcUnits(principal),
        feesUsdcUnits: usdcUnits(fees),
        tokenUnits: tokenUnits(position.tokenUnits),
        liquidationFeeBps: rateBps(BigInt(position.liquidationFeeBps)),
        exitBufferBps: rateBps(BigInt(position.exitBufferBps)),
      };
      return { positionKey, tokenId: String(tokenId), debt };
    }),
  );
}

interface Loan {
  readonly positionKey: Hex;
  readonly outcomeId: number;
}

/** Return the loans that the pool's events do not show as repaid or lost. */
function outstandingOf(logs: readonly PoolLog[]): readonly Loan[] {
  const loans = new Map<Hex, Loan & { readonly usdcUnits: bigint }>();
  for (const log of logs) {
    if (log.eventName !== 'Lent' && log.eventName !== 'Booked') continue;
    const { positionKey, outcomeId } = log.args;
    const change =
      log.eventName === 'Lent'
        ? log.args.usdcUnits
        : -log.args.booking.principalUsdcUnits - log.args.booking.badDebtUsdcUnits;
    loans.set(positionKey, { positionKey, outcomeId, usdcUnits: (loans.get(positionKey)?.usdcUnits ?? 0n) + change });
  }
  return [...loans.values()].filter(({ usdcUnits: units }) => units > 0n);
}
