import type { JournalState } from '../journal/journal.ts';
import type { Movement } from '../journal/journalLines.ts';

/** Result of one market. */
export interface MarketResult {
  readonly conditionId: string;
  /** USDC units received less paid in the market, fees included. */
  readonly usdcUnits: bigint;
  /** Token units still held, by token; empty when everything is sold. */
  readonly held: readonly { readonly tokenId: bigint; readonly tokenUnits: bigint }[];
}

/** Accounts of a filler, exact to the unit. Tokens still held count as nothing. */
export interface ProfitAndLoss {
  readonly throughBlock: bigint;
  readonly openingUsdcUnits: bigint;
  /** USDC that came in or went out without a trade. */
  readonly transferUsdcUnits: bigint;
  readonly fillUsdcUnits: bigint;
  readonly venueUsdcUnits: bigint;
  readonly pairUsdcUnits: bigint;
  readonly fillCount: number;
  /** Opening balance and all movements: the balance on chain at the block. */
  readonly balanceUsdcUnits: bigint;
  /** USDC units of fills, venue and pairs together. */
  readonly profitUsdcUnits: bigint;
  readonly gasWei: bigint;
  readonly markets: readonly MarketResult[];
}

/** Return the accounts of a journal; null before its accounts began. */
export function profitAndLossOf(state: JournalState): ProfitAndLoss | null {
  const { opened, throughBlock, movements, gasWei } = state;
  if (opened === null || throughBlock === null) return null;
  const sumOf = (kind: Movement['kind']): bigint =>
    movements.filter((movement) => movement.kind === kind).reduce((sum, { usdcUnits }) => sum + usdcUnits, 0n);
  const [fillUsdcUnits, venueUsdcUnits, pairUsdcUnits] = [sumOf('fill'), sumOf('venue'), sumOf('pair')];
  const transferUsdcUnits = sumOf('transfer');
  const profitUsdcUnits = fillUsdcUnits + venueUsdcUnits + pairUsdcUnits;
  return {
    throughBlock,
    openingUsdcUnits: opened.usdcUnits,
    transferUsdcUnits,
    fillUsdcUnits,
    venueUsdcUnits,
    pairUsdcUnits,
    fillCount: movements.reduce((sum, { kind, fillCount = 1 }) => (kind === 'fill' ? sum + fillCount : sum), 0),
    balanceUsdcUnits: opened.usdcUnits + transferUsdcUnits + profitUsdcUnits,
    profitUsdcUnits,
    gasWei,
    markets: marketResultsOf(state),
  };
}

function marketResultsOf({ markets, movements }: JournalState): readonly MarketResult[] {
  const conditionOf = new Map(
    [...markets.values()].flatMap(({ conditionId, yesTokenId, noTokenId }) => [
      [yesTokenId, conditionId] as const,
      [noTokenId, conditionId] as const,
    ]),
  );
  const results = new Map<string, { usdcUnits: bigint; readonly held: Map<bigint, bigint> }>();
  for (const { tokens, usdcUnits } of movements) {
    const [first] = tokens;
    const conditionId = first === undefined ? undefined : (conditionOf.get(first.tokenId) ?? 'other tokens');
    if (conditionId === undefined) continue;
    const result = results.get(conditionId) ?? { usdcUnits: 0n, held: new Map<bigint, bigint>() };
    result.usdcUnits += usdcUnits;
    for (const { tokenId, tokenUnits } of tokens) {
      result.held.set(tokenId, (result.held.get(tokenId) ?? 0n) + tokenUnits);
    }
    results.set(conditionId, result);
  }
  return [...results].map(([conditionId, { usdcUnits, held }]) => ({
    conditionId,
    usdcUnits,
    held: [...held].filter(([, units]) => units !== 0n).map(([tokenId, tokenUnits]) => ({ tokenId, tokenUnits })),
  }));
}
