const width = 80;
const height = 22;
const margin = 2;

interface SparklineProps {
  readonly values: readonly number[];
  /** True for values of which neither direction is a gain. */
  readonly isPlain?: boolean;
}

/**
 * Small line without axes, from the oldest value to the newest. Its colour shows the direction of a price. Before there
 * are two values its space is empty.
 */
export function Sparkline({ values, isPlain = false }: SparklineProps) {
  const [first] = values;
  const last = values.at(-1);
  if (first === undefined || last === undefined || values.length < 2) {
    return <svg className="sparkline-space" width={width} height={height} aria-hidden="true" />;
  }
  const [minimum, maximum] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width;
    const share = maximum === minimum ? 1 / 2 : (value - minimum) / (maximum - minimum);
    const y = height - margin - share * (height - 2 * margin);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const direction = isPlain || last === first ? 'hint' : last < first ? 'loss' : 'gain';
  return (
    <svg
      className={`sparkline ${direction}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
