import type { MarketCategory } from '@core/market';
import type { EndedGrant, FilledGrant } from '@core/policy';
import {
  add,
  type PricePips,
  pricePips,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import type { EndedGrantRecord } from '@core/store';
import { type PurposeName, purposeNameOf } from '@core/vault';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { readableEventsOf } from './ledgerEvent.ts';

/**
 * End of one grant. `filled`: it ended with its last fill. `part`: it ended later with less. `unfilled`: its last
 * second passed without a fill. `withdrawn`: it was ended before that without one, so it says nothing about fillers.
 */
export interface GrantOutcome {
  readonly purpose: PurposeName;
  readonly category: MarketCategory | 'unlisted';
  readonly result: 'filled' | 'part' | 'unfilled' | 'withdrawn';
  /** On the chain's clock. */
  readonly endedAtMs: number;
  /** Time since its authorisation. */
  readonly durationMs: number;
  /** Entry price of the position's quote, 0 where none is indexed; attested mark; and what its fills moved. */
  readonly entryPricePips: PricePips;
  readonly markPricePips: PricePips;
  readonly usdcUnits: UsdcUnits;
  readonly tokenUnits: TokenUnits;
}

/** Return the outcomes of ended grants, in their order. One whose row cannot be read is left out. */
export function grantOutcomesOf(records: readonly EndedGrantRecord[]): readonly GrantOutcome[] {
  return records.flatMap((record) => {
    const { category, authorization, authorizedAtMs, isEndedByFill, blockTimeMs: endedAtMs } = record;
    const [ended, begun] = readableEventsOf([record, { ...record, name: 'GrantAuthorized', arguments: authorization }]);
    if (ended?.name !== 'GrantEnded' || begun?.name !== 'GrantAuthorized') return [];
    const hasRunOut = endedAtMs > Number(begun.args.endsAt) * 1_000;
    const unfilled = hasRunOut ? 'unfilled' : 'withdrawn';
    const result = isEndedByFill ? 'filled' : ended.args.filledUnits > 0n ? 'part' : unfilled;
    const purpose = purposeNameOf(ended.args.purpose);
    const fills = readableEventsOf(record.fills.map((args) => ({ ...record, name: 'GrantFilled', arguments: args })));
    const moved = fills.flatMap((fill) => (fill.name === 'GrantFilled' ? [fill.args] : []));
    return [
      {
        purpose,
        category: category ?? 'unlisted',
        result,
        endedAtMs,
        durationMs: endedAtMs - authorizedAtMs,
        entryPricePips: pricePips(record.entryPricePips ?? 0n),
        markPricePips: begun.args.markPips,
        usdcUnits: moved.reduce((sum, args) => add(sum, args.usdcUnits), usdcUnits(0n)),
        tokenUnits: moved.reduce((sum, args) => add(sum, args.tokenUnits), tokenUnits(0n)),
      },
    ];
  });
}

/**
 * Return the filled openings and the filled closes of users: forced sales are made when prices fall. An opening is
 * compared with its quote, because its attested mark is the lowest of several prices and below the mid.
 */
export function filledGrantsOf(outcomes: readonly GrantOutcome[]): readonly FilledGrant[] {
  return outcomes.flatMap(({ category, purpose, tokenUnits, usdcUnits, entryPricePips, markPricePips }) => {
    const kind = purpose === 'open' ? 'opening' : purpose === 'close' ? 'sale' : null;
    const referencePricePips = kind === 'opening' ? entryPricePips : markPricePips;
    const isMeasured = category !== 'unlisted' && raw(tokenUnits) > 0n && raw(referencePricePips) > 0n;
    return kind === null || !isMeasured ? [] : [{ category, kind, referencePricePips, usdcUnits, tokenUnits }];
  });
}

/**
 * Return what outcomes say about fillers. A withdrawn grant says nothing, and neither does a close without a fill: its
 * user may name a price that no filler pays.
 */
export function endedGrantsOf(outcomes: readonly GrantOutcome[]): readonly EndedGrant[] {
  return outcomes.flatMap(({ category, purpose, result, endedAtMs }) => {
    const isFilled = result !== 'unfilled';
    if (result === 'withdrawn' || (purpose === 'close' && !isFilled)) return [];
    return [{ category, kind: purpose === 'open' ? 'opening' : 'sale', isFilled, endedAtMs }];
  });
}

/** Count ended grants by purpose, category and result, and the time in which the filled ones were filled. */
export function countGrants(
  records: readonly EndedGrantRecord[],
  { endedGrants, fillSeconds }: Pick<KeeperMetrics, 'endedGrants' | 'fillSeconds'>,
): void {
  for (const { purpose, category, result, durationMs } of grantOutcomesOf(records)) {
    endedGrants.inc({ purpose, category, outcome: result });
    if (result === 'filled') fillSeconds.observe({ purpose, category }, durationMs / 1_000);
  }
}
