import type { OpenPosition } from '@core/sdk';
import { percent } from '../money.ts';
import { Figure } from '../parts/Figure.tsx';

type Risk = Pick<OpenPosition['risk'], 'current_liquidation_price_usd_pips' | 'health_bps' | 'liquidation_buffer_bps'>;

/** Distance of the price from the liquidation price; the bar is full at the opening price. */
export function Distance({ position: { risk } }: { readonly position: { readonly risk: Risk } }) {
  const hasDebt = risk.current_liquidation_price_usd_pips !== '0';
  if (!hasDebt) return <span>no debt</span>;
  return (
    <>
      <meter min={0} max={10_000} low={2_500} optimum={10_000} value={risk.health_bps} aria-label="Health" />{' '}
      <Figure className="nowrap">{percent(risk.liquidation_buffer_bps)}</Figure>
    </>
  );
}
