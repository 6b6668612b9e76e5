import type { OpenPosition } from '@core/sdk';
import type { PlotLevel } from '../parts/LinePlot.tsx';

const wholePips = 10_000;

const yesPipsOf = (side: 'yes' | 'no', pips: number): number => (side === 'yes' ? pips : wholePips - pips);

/** Return lines for entry and liquidation of positions in a chart of YES; a price of NO is mirrored at 1 USD. */
export function ownLevels(positions: readonly OpenPosition[]): readonly PlotLevel[] {
  return positions.flatMap(({ effective_side: side, entry, risk }) => {
    const name = side.toUpperCase();
    const entryPips = entry.effective_entry_price_usd_pips ?? entry.price_usd_pips;
    const { current_liquidation_price_usd_pips: liquidationPips } = risk;
    return [
      { value: yesPipsOf(side, Number(entryPips)), title: `${name} entry`, kind: 'quiet' as const },
      ...(liquidationPips === '0'
        ? []
        : [{ value: yesPipsOf(side, Number(liquidationPips)), title: `${name} liquidation`, kind: 'loss' as const }]),
    ];
  });
}

/** Return the line for the liquidation of an order that is being sized; none without a debt. */
export function orderLevels(
  order: { readonly side: 'yes' | 'no'; readonly liquidationPips: number } | null,
): readonly PlotLevel[] {
  if (order === null || order.liquidationPips === 0) return [];
  return [{ value: yesPipsOf(order.side, order.liquidationPips), title: 'order liquidation', kind: 'loss' }];
}
