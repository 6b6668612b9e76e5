const width = 80;
const height = 22;
const margin = 2;

interface SparklineProps {
  /** Values at equal distances, the oldest first; null where none was read, which leaves a gap. */
  readonly values: readonly (number | null)[];
  /** True for values of which neither direction is a gain. */
  readonly isPlain?: boolean;
}

/**
 * Small line without axes, from the oldest value to the newest. Its colour shows the direction of a price. Before there
 * are two values its space is empty.
 */
export function Sparkline({ values, isPlain = false }: SparklineProps) {
  const numbers = values.filter((value) => value !== null);
  const [first] = numbers;
  const last = numbers.at(-1);
  if (first === undefined || last === undefined || numbers.length < 2) {
    return <svg className="sparkline-space" width={width} height={height} aria-hidden="true" />;
  }
  const [minimum, maximum] = [Math.min(...numbers), Math.max(...numbers)];
  const steps = values.map((value, index) => {
    if (value === null) return '';
    const x = (index / (values.length - 1)) * width;
    const share = maximum === minimum ? 1 / 2 : (value - minimum) / (maximum - minimum);
    const y = height - margin - share * (height - 2 * margin);
    return `${(values[index - 1] ?? null) === null ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
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
      <path d={steps.join('')} />
    </svg>
  );
}
