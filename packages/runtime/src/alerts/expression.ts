type Labels = Readonly<Record<string, string>>;

/** Points of a metric with one set of labels, the oldest first. */
export interface Series {
  readonly name: string;
  readonly labels: Labels;
  readonly points: readonly { readonly atMs: number; readonly value: number }[];
}

/** Series that an expression reads. */
interface Selector {
  readonly name: string;
  /** Value that a label must have, or several of which it must have one. */
  readonly labels: Readonly<Record<string, string | readonly string[]>>;
  /** Length of the past that counts; 0 for the last value alone. */
  readonly windowMinutes: number;
  /** True in an exception: the program of the series may be missing. */
  readonly isException: boolean;
}

/** Values with their labels. A comparison has those for which it is true. */
type Vector = readonly { readonly labels: Labels; readonly value: number }[];

/** Expression of Prometheus: its PromQL, and its value at a time. */
export interface Expression {
  readonly text: string;
  readonly selectors: readonly Selector[];
  readonly evaluate: (series: readonly Series[], nowMs: number) => Vector;
}

/** Expression, the name of a metric for its last values, or a number. */
type Operand = Expression | string | number;

type ValueOf = (points: Series['points'], nowMs: number) => number | undefined;

function selected({ name, labels, windowMinutes }: Omit<Selector, 'isException'>, valueOf: ValueOf): Expression {
  const matchers = Object.entries(labels);
  const matcherTexts = matchers.map(([label, accepted]) =>
    typeof accepted === 'string' ? `${label}="${accepted}"` : `${label}=~"${accepted.join('|')}"`,
  );
  const isSelected = (series: Series): boolean =>
    series.name === name &&
    matchers.every(([label, accepted]) => [accepted].flat().includes(series.labels[label] ?? ''));
  return {
    text: matchers.length === 0 ? name : `${name}{${matcherTexts.join(',')}}`,
    selectors: [{ name, labels, windowMinutes, isException: false }],
    evaluate: (series, nowMs) =>
      series.filter(isSelected).flatMap((one) => {
        const value = valueOf(one.points, nowMs);
        return value === undefined ? [] : [{ labels: one.labels, value }];
      }),
  };
}

/** Last values of the series with these labels. */
export const metric = (name: string, labels: Selector['labels'] = {}): Expression =>
  selected({ name, labels, windowMinutes: 0 }, (points) => points.at(-1)?.value);

/** Difference of a clock that a program shows from the clock of who reads it, in seconds. */
export const clockError = (name: string): Expression => {
  const clock = selected({ name, labels: {}, windowMinutes: 0 }, (points) => {
    const last = points.at(-1);
    return last && Math.abs(last.value - last.atMs / 1_000);
  });
  return { ...clock, text: `abs(${name} - timestamp(${name}))` };
};

/** Growth of counters within a window, or that of a second. A counter that falls was started again from 0. */
const growth =
  (word: 'increase' | 'rate') =>
  (name: string, windowMinutes: number, labels: Selector['labels'] = {}): Expression => {
    const seconds = windowMinutes * 60;
    const counter = selected({ name, labels, windowMinutes }, (points, nowMs) => {
      const [first, ...others] = points.filter(({ atMs }) => atMs >= nowMs - seconds * 1_000);
      if (first === undefined || others.length === 0) return undefined;
      let [last, total] = [first.value, 0];
      for (const { value } of others) {
        total += value < last ? value : value - last;
        last = value;
      }
      return word === 'rate' ? total / seconds : total;
    });
    return { ...counter, text: `${word}(${counter.text}[${windowMinutes}m])` };
  };
export const increase = growth('increase');
export const rate = growth('rate');

/** Build an expression from the texts of its operands, and from their vectors. */
function combined(
  operands: readonly Operand[],
  textOf: (...texts: readonly string[]) => string,
  combine: (...vectors: readonly Vector[]) => Vector,
): Expression {
  const parts = operands.map(expressionOf);
  return {
    text: textOf(...parts.map(({ text }) => text)),
    selectors: parts.flatMap(({ selectors }) => selectors),
    evaluate: (series, nowMs) => combine(...parts.map(({ evaluate }) => evaluate(series, nowMs))),
  };
}

function expressionOf(operand: Operand): Expression {
  if (typeof operand === 'string') return metric(operand);
  if (typeof operand === 'object') return operand;
  return { text: String(operand), selectors: [], evaluate: () => [{ labels: {}, value: operand }] };
}

const reduced = (labels: Labels, names: readonly string[]): Labels =>
  Object.fromEntries(names.map((name) => [name, labels[name] ?? '']));

const aggregation =
  (word: 'max' | 'sum', aggregate: (values: readonly number[]) => number) =>
  (of: Operand, by: readonly string[] = []): Expression =>
    combined(
      [of],
      (text) => `${word}${by.length === 0 ? '' : ` by (${by.join(', ')}) `}(${text})`,
      (vector) => {
        const groups = Map.groupBy(vector, ({ labels }) => JSON.stringify(reduced(labels, by)));
        return [...groups.values()].map((group) => ({
          labels: reduced(group[0]?.labels ?? {}, by),
          value: aggregate(group.map(({ value }) => value)),
        }));
      },
    );
export const max = aggregation('max', (values) => Math.max(...values));
export const sum = aggregation('sum', (values) => values.reduce((total, value) => total + value, 0));

/** Compare by these labels alone with the vector on the left. */
export const on = (names: readonly string[], of: Operand): Expression =>
  combined(
    [of],
    (text) => `on (${names.join(', ')}) ${text}`,
    (vector) => vector.map(({ labels, value }) => ({ labels: reduced(labels, names), value })),
  );

/** Return the values whose labels are among these; a number has none. Prometheus needs the same labels, or `on`. */
const partnersOf = (labels: Labels, vector: Vector): readonly number[] =>
  vector
    .filter((one) => Object.entries(one.labels).every(([name, value]) => (labels[name] ?? '') === value))
    .map(({ value }) => value);

const comparisons = {
  '==': (first: number, second: number) => first === second,
  '!=': (first: number, second: number) => first !== second,
  '>': (first: number, second: number) => first > second,
  '<': (first: number, second: number) => first < second,
} as const;

export const compare = (first: Operand, operator: keyof typeof comparisons, second: Operand): Expression =>
  combined(
    [first, second],
    (left, right) => `${left} ${operator} ${right}`,
    (left, right) =>
      left.filter(({ labels, value }) =>
        partnersOf(labels, right).some((partner) => comparisons[operator](value, partner)),
      ),
  );

export const divide = (first: Operand, second: Operand): Expression =>
  combined(
    [first, second],
    (left, right) => `${left} / ${right}`,
    (left, right) =>
      left.flatMap(({ labels, value }) =>
        partnersOf(labels, right).map((partner) => ({ labels, value: value / partner })),
      ),
  );

export const or = (...alternatives: readonly Expression[]): Expression =>
  combined(
    alternatives,
    (...texts) => texts.join(' or '),
    (...vectors) => vectors.flat(),
  );

export const absent = (of: Operand): Expression =>
  combined(
    [of],
    (text) => `absent(${text})`,
    (vector) => (vector.length === 0 ? [{ labels: {}, value: 1 }] : []),
  );

/** Build a rule that is silent while one of the exceptions is true, of whatever labels. */
export function unless(condition: Expression, ...exceptions: readonly Expression[]): Expression {
  const rule = combined(
    [condition, ...exceptions],
    (text, ...others) => others.reduce((before, other) => `${before} unless on () (${other})`, `(${text})`),
    (vector, ...others) => (others.flat().length === 0 ? vector : []),
  );
  const isException = (index: number): boolean => index >= condition.selectors.length;
  const selectors = rule.selectors.map((selector, index) => ({ ...selector, isException: isException(index) }));
  return { ...rule, selectors };
}
