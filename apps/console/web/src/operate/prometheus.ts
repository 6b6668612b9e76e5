/** One measured value with its labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const linePattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const labelPattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Values in Prometheus's text; comments and lines of another form are left out. */
export function samplesOf(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const found = linePattern.exec(line);
    if (line.startsWith('#') || found === null) return [];
    const [, name = '', labels = '', value = ''] = found;
    const pairs = [...labels.matchAll(labelPattern)].map(([, label = '', said = '']) => [label, unescaped(said)]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_all, letter: string) => (letter === 'n' ? '\n' : letter));

/** The value of a metric, the one with these labels; null where it was not measured. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | null {
  const wanted = Object.entries(labels);
  const found = samples.find(
    (sample) => sample.name === name && wanted.every(([key, said]) => sample.labels[key] === said),
  );
  return found?.value ?? null;
}
