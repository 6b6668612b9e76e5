import type { PricePoint } from '../live/history.ts';
import { cents } from '../money.ts';

/** Something that happened, marked at its moment. */
export interface ChartMark {
  readonly atMs: number;
  readonly text: string;
}

interface PriceChartProps {
  readonly points: readonly PricePoint[];
  readonly label: string;
  /** A second line of prices with its name, such as where a position would be liquidated; 0 stands for none. */
  readonly level?: { readonly points: readonly PricePoint[]; readonly name: string };
  readonly marks?: readonly ChartMark[];
}

const width = 600;
const height = 160;
const margin = 12;
const noPoints: readonly PricePoint[] = [];

/** Prices as steps: a price holds until the next one. Drawn as far as they are known, to the present. */
export function PriceChart({ points, level, marks = [], label }: PriceChartProps) {
  const last = points.at(-1);
  if (last === undefined) return <p className="hint">No price has come yet.</p>;
  const levels = (level?.points ?? noPoints).filter(({ pips }) => pips > 0);
  const scale = scaleOf([...points, ...levels]);
  const shown = marks.filter(({ atMs }) => atMs >= scale.firstMs);
  const lastLevel = level?.points.at(-1)?.pips ?? 0;
  return (
    <figure className="chart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} preserveAspectRatio="none">
        {shown.map(({ atMs, text }) => (
          <line key={`${atMs} ${text}`} className="mark" x1={scale.x(atMs)} x2={scale.x(atMs)} y1={0} y2={height}>
            <title>{text}</title>
          </line>
        ))}
        {levels.length === 0 ? null : <path className="level" d={stepsOf(levels, scale)} />}
        <path className="price" d={stepsOf(points, scale)} />
      </svg>
      <figcaption>
        {label}: {cents(last.pips)}
        {lastLevel === 0 || level === undefined ? '' : ` · ${level.name} ${cents(lastLevel)}`}
        {shown.length === 0 ? '' : ` · upright lines: ${shown.map(({ text }) => text).join('; ')}`}
      </figcaption>
    </figure>
  );
}

interface Scale {
  readonly firstMs: number;
  readonly x: (atMs: number) => number;
  readonly y: (pips: number) => number;
}

/** All that is drawn fits, with a cent of room above and below; the right edge is now. */
function scaleOf(points: readonly PricePoint[]): Scale {
  const prices = points.map(({ pips }) => pips);
  const moments = points.map(({ atMs }) => atMs);
  const lowest = Math.max(0, Math.min(...prices) - 100);
  const highest = Math.min(10_000, Math.max(...prices) + 100);
  const firstMs = Math.min(...moments);
  const spanMs = Math.max(1, Date.now() - firstMs);
  return {
    firstMs,
    x: (atMs) => ((atMs - firstMs) / spanMs) * width,
    y: (pips) => margin + (1 - (pips - lowest) / (highest - lowest)) * (height - 2 * margin),
  };
}

function stepsOf(points: readonly PricePoint[], { x, y }: Scale): string {
  const steps = points.map(({ atMs, pips }, index) =>
    index === 0 ? `M ${x(atMs)} ${y(pips)}` : `H ${x(atMs)} V ${y(pips)}`,
  );
  return `${steps.join(' ')} H ${width}`;
}
