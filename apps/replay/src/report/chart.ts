/** A line or a row of bars: names on the axis and a value at each; null leaves a gap. */
export interface ChartSeries {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

export interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly places: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly kind: 'lines' | 'bars';
}

const frame = { width: 760, height: 380, left: 60, right: 150, top: 40, bottom: 50 } as const;
const colours = ['#1b6ca8', '#d1495b', '#3d9970', '#edae49', '#6a4c93', '#66727f', '#8d5524'] as const;
const tickCount = 6;

/** Return a chart as SVG text, identical in every run. */
export function chartSvg(chart: Chart): string {
  const scale = scaleOf(chart);
  const width = frame.width - frame.left - frame.right;
  const xOf = (index: number) => frame.left + (width * (index + 0.5)) / Math.max(1, chart.places.length);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${frame.width} ${frame.height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${frame.width}" height="${frame.height}" fill="#ffffff"/>`,
    `<text x="${frame.left}" y="22" font-size="14">${escaped(chart.title)}, ${escaped(chart.unit)}</text>`,
    ...gridOf(scale),
    ...chart.places.map(
      (place, index) =>
        `<text x="${at(xOf(index))}" y="${frame.height - frame.bottom + 20}" text-anchor="middle">${escaped(place)}</text>`,
    ),
    ...chart.series.flatMap((series, index) => seriesOf(chart, series, { index, scale, xOf })),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly yOf: (value: number) => number;
}

function scaleOf(chart: Chart): Scale {
  const values = chart.series.flatMap((series) => series.values.filter((value) => value !== null));
  const low = Math.min(0, ...values);
  const high = Math.max(0.001, ...values);
  const height = frame.height - frame.top - frame.bottom;
  return { low, high, yOf: (value) => frame.top + height * (1 - (value - low) / (high - low)) };
}

function gridOf({ low, high, yOf }: Scale): readonly string[] {
  const right = frame.width - frame.right;
  const ticks = Array.from({ length: tickCount }, (_, index) => low + ((high - low) * index) / (tickCount - 1));
  return [...ticks, 0].flatMap((tick, index) => {
    const y = at(yOf(tick));
    const isZero = index === tickCount;
    const line = `<line x1="${frame.left}" x2="${right}" y1="${y}" y2="${y}" stroke="${isZero ? '#333333' : '#dddddd'}"/>`;
    const label = `<text x="${frame.left - 6}" y="${y}" text-anchor="end" dominant-baseline="middle">${tick.toFixed(2)}</text>`;
    return isZero ? [line] : [line, label];
  });
}

function seriesOf(
  chart: Chart,
  { name, values }: ChartSeries,
  { index, scale, xOf }: { index: number; scale: Scale; xOf: (place: number) => number },
): readonly string[] {
  const colour = colours[index % colours.length] ?? '#000000';
  const legendY = frame.top + 18 * index;
  const legend = [
    `<rect x="${frame.width - frame.right + 12}" y="${legendY - 9}" width="12" height="10" fill="${colour}"/>`,
    `<text x="${frame.width - frame.right + 30}" y="${legendY}">${escaped(name)}</text>`,
  ];
  const points = values.flatMap((value, place) => (value === null ? [] : [{ x: xOf(place), value }]));
  if (chart.kind === 'lines') {
    const path = points.map(({ x, value }) => `${at(x)},${at(scale.yOf(value))}`).join(' ');
    return [...legend, `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`];
  }
  const width = (frame.width - frame.left - frame.right) / chart.places.length / (chart.series.length + 1);
  const bars = points.map(({ x, value }) => {
    const barLeft = x + (index - chart.series.length / 2) * width;
    const [top, bottom] = [scale.yOf(Math.max(0, value)), scale.yOf(Math.min(0, value))];
    return `<rect x="${at(barLeft)}" y="${at(top)}" width="${at(width)}" height="${at(bottom - top)}" fill="${colour}"/>`;
  });
  return [...legend, ...bars];
}

const at = (position: number): string => position.toFixed(1);

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
