import type { SharePricePoint } from './readPoolHistory.ts';
import { sharePriceText } from './shares.ts';

const width = 600;
const height = 160;
const margin = 12;
/** Room above and below, in USDC units, so that a flat line is drawn as one. */
const roomUsdcUnits = 500;

/** Price of a share over time. Between two events income comes in evenly, so that straight lines are right. */
export function SharePriceChart({ points }: { readonly points: readonly SharePricePoint[] }) {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return <p className="hint">Nothing has happened in the pool yet.</p>;
  const prices = points.map(({ usdcUnits }) => Number(usdcUnits));
  const lowest = Math.min(...prices) - roomUsdcUnits;
  const highest = Math.max(...prices) + roomUsdcUnits;
  const spanSeconds = Math.max(1, last.atSeconds - first.atSeconds);
  const x = (atSeconds: number): number => ((atSeconds - first.atSeconds) / spanSeconds) * width;
  const y = (price: number): number => margin + (1 - (price - lowest) / (highest - lowest)) * (height - 2 * margin);
  const path = points.map(
    ({ atSeconds, usdcUnits }) => `${x(atSeconds).toFixed(2)} ${y(Number(usdcUnits)).toFixed(2)}`,
  );
  const since = new Date(first.atSeconds * 1_000).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const label = `Share price since ${since}`;
  return (
    <figure className="chart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} preserveAspectRatio="none">
        <path className="price" d={`M ${path.join(' L ')}`} />
      </svg>
      <figcaption>
        {label}: from {sharePriceText(first.usdcUnits)} to {sharePriceText(last.usdcUnits)}
      </figcaption>
    </figure>
  );
}
