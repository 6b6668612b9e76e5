import {
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  LineType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { timeSlotsOf } from './timeSlots.ts';

/** Value at one moment. */
export interface PlotPoint {
  readonly atMs: number;
  readonly value: number;
}

/** Horizontal line across the chart. */
export interface PlotLevel {
  readonly value: number;
  readonly title: string;
  readonly kind: 'loss' | 'quiet';
}

export interface PlotMark {
  readonly atMs: number;
  readonly text: string;
}

export interface LinePlotProps {
  readonly points: readonly PlotPoint[];
  readonly levels?: readonly PlotLevel[];
  readonly marks?: readonly PlotMark[];
  readonly formatOf: (value: number) => string;
  /** Margin above and below the values, so that a constant value is drawn as a flat line. */
  readonly margin: number;
  /** True where a value lasts until the next one; otherwise it is interpolated. */
  readonly isStepped: boolean;
}

interface Plot {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<'Line'>;
  readonly markers: ReturnType<typeof createSeriesMarkers<Time>>;
}

/** Convert to the library's seconds, shifted to the user's time zone. */
const secondsOf = (atMs: number): number => Math.floor(atMs / 1_000 - new Date(atMs).getTimezoneOffset() * 60);

// The type of the library brands its seconds.
const timeOf = (seconds: number): UTCTimestamp => seconds as UTCTimestamp;

/** Return a colour of the style sheet in a form that the canvas accepts. */
function colourOf(container: HTMLElement, name: 'ink-quiet' | 'ink-line' | 'ink-accent' | 'ink-loss'): string {
  const probe = document.createElement('i');
  probe.className = name;
  container.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function paint({ chart, series }: Plot, container: HTMLElement): void {
  const line = { color: colourOf(container, 'ink-line') };
  chart.applyOptions({
    layout: {
      background: { color: 'transparent' },
      textColor: colourOf(container, 'ink-quiet'),
      fontFamily: getComputedStyle(container).fontFamily,
      attributionLogo: false,
    },
    grid: { vertLines: line, horzLines: line },
  });
  series.applyOptions({ color: colourOf(container, 'ink-accent') });
}

function plotIn(container: HTMLElement, isStepped: boolean): Plot {
  const chart = createChart(container, {
    autoSize: true,
    layout: { attributionLogo: false },
    rightPriceScale: { borderVisible: false },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
      rightOffsetPixels: 32,
      minBarSpacing: 0.1,
    },
    // A swipe or a wheel over the chart scrolls the page.
    handleScroll: { vertTouchDrag: false, mouseWheel: false },
    handleScale: { mouseWheel: false },
  });
  const series = chart.addSeries(LineSeries, {
    lineWidth: 2,
    lineType: isStepped ? LineType.WithSteps : LineType.Simple,
  });
  return { chart, series, markers: createSeriesMarkers(series, []) };
}

const noLevels: readonly PlotLevel[] = [];
const noMarks: readonly PlotMark[] = [];

/** Draw the chart, and redraw it when the colour scheme changes. Loaded with the first chart of a page. */
export default function LinePlot(props: LinePlotProps) {
  const { points, levels = noLevels, marks = noMarks, formatOf, margin, isStepped } = props;
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const lines = useRef<readonly IPriceLine[]>([]);
  /** First slots at the last fit: new prices leave the visible range to the user. */
  const fittedScale = useRef('');
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const newPlot = plotIn(element, isStepped);
    plot.current = newPlot;
    const repaint = (): void => paint(newPlot, element);
    repaint();
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', repaint);
    return () => {
      scheme.removeEventListener('change', repaint);
      plot.current = null;
      lines.current = [];
      fittedScale.current = '';
      newPlot.chart.remove();
    };
  }, [isStepped]);
  useEffect(() => {
    plot.current?.series.applyOptions({ priceFormat: { type: 'custom', minMove: 0.01, formatter: formatOf } });
  }, [formatOf]);
  useEffect(() => {
    const { current } = plot;
    if (current === null) return;
    const values = [...points, ...levels].map(({ value }) => value);
    const priceRange = { minValue: Math.min(...values) - margin, maxValue: Math.max(...values) + margin };
    current.series.applyOptions({ autoscaleInfoProvider: () => ({ priceRange }) });
    // The library draws equal distances between items, however long ago they were.
    const slots = timeSlotsOf(points.map(({ atMs, value }) => ({ seconds: secondsOf(atMs), value })));
    current.series.setData(slots.map(({ time, ...slot }) => ({ time: timeOf(time), ...slot })));
    const scale = slots
      .slice(0, 2)
      .map(({ time }) => time)
      .join(' ');
    if (scale === fittedScale.current) return;
    fittedScale.current = scale;
    current.chart.timeScale().fitContent();
  }, [points, levels, margin, isStepped]);
  useEffect(() => {
    const { current } = plot;
    const element = container.current;
    if (current === null || element === null) return;
    current.markers.setMarkers(
      marks.map(({ atMs, text }) => ({
        time: timeOf(secondsOf(atMs)),
        position: 'aboveBar',
        shape: 'arrowDown',
        text,
        color: colourOf(element, 'ink-loss'),
      })),
    );
    for (const line of lines.current) current.series.removePriceLine(line);
    lines.current = levels.map(({ value, title, kind }) =>
      current.series.createPriceLine({
        price: value,
        title,
        color: colourOf(element, kind === 'loss' ? 'ink-loss' : 'ink-quiet'),
        lineStyle: LineStyle.Dashed,
        lineWidth: 1,
      }),
    );
  }, [levels, marks, isStepped]);
  return <div ref={container} className="plot" />;
}
