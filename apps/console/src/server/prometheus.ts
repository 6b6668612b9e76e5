/** Measured value with its labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const linePattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const labelPattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Parse the Prometheus text format; comments and malformed lines are skipped. */
export function samplesOf(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const match = linePattern.exec(line);
    if (line.startsWith('#') || match === null) return [];
    const [, name = '', labels = '', value = ''] = match;
    const pairs = [...labels.matchAll(labelPattern)].map(
      ([, label = '', escaped = '']) => [label, unescaped(escaped)] as const,
    );
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_all, letter: string) => (letter === 'n' ? '\n' : letter));

/** Return the sum of a metric over all its labels, 0 for a counter that has none yet; null before any is read. */
export function sumOf(samples: readonly Sample[], name: string): number | null {
  const values = samples.filter(({ name: ownName }) => ownName === name).map(({ value }) => value);
  return samples.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}

/** Return the value of the metric with these labels; null where it is missing. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | null {
  const labelEntries = Object.entries(labels);
  const match = samples.find(
    ({ name: ownName, labels: ownLabels }) =>
      ownName === name && labelEntries.every(([key, value]) => ownLabels[key] === value),
  );
  return match?.value ?? null;
}
