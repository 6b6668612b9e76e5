import type { Expression, Operator, Selector } from './expression.ts';

type Labels = Readonly<Record<string, string>>;

/** Value of a metric at a time. */
export interface Point {
  readonly atMs: number;
  readonly value: number;
}

/** Points of a metric with one set of labels, the oldest first. */
export interface Series {
  readonly name: string;
  readonly labels: Labels;
  readonly points: readonly Point[];
}

interface Element {
  readonly labels: Labels;
  readonly value: number;
}

/** Evaluate an expression at a time. Like Prometheus, a comparison returns the elements for which it is true. */
export function evaluate(expression: Expression, series: readonly Series[], nowMs: number): readonly Element[] {
  const valueOf = (part: Expression): readonly Element[] => evaluate(part, series, nowMs);
  switch (expression.kind) {
    case 'number':
      return [{ labels: {}, value: expression.value }];
    case 'selector':
      return selected(expression, series).flatMap(({ labels, points }) => {
        const last = points.at(-1);
        return last === undefined ? [] : [{ labels, value: last.value }];
      });
    case 'absent':
      return valueOf(expression.of).length === 0 ? [{ labels: {}, value: 1 }] : [];
    case 'abs':
      return valueOf(expression.of).map(({ labels, value }) => ({ labels, value: Math.abs(value) }));
    case 'increase':
      return increases(expression.of, series, nowMs);
    case 'rate': {
      const seconds = (expression.of.windowMs ?? 0) / 1_000;
      return increases(expression.of, series, nowMs).map(({ labels, value }) => ({ labels, value: value / seconds }));
    }
    case 'sum':
      return groups(valueOf(expression.of), expression.by, (values) => values.reduce((sum, value) => sum + value, 0));
    case 'max':
      return groups(valueOf(expression.of), expression.by, (values) => Math.max(...values));
    case 'or':
      return [...valueOf(expression.first), ...valueOf(expression.second)];
    case 'unless': {
      const first = valueOf(expression.first);
      const exempt = new Set(pairs(first, valueOf(expression.second), expression.on).map(([one]) => one));
      return first.filter((one) => !exempt.has(one));
    }
    case 'divide':
      return pairs(valueOf(expression.first), valueOf(expression.second), null).map(([first, second]) => ({
        labels: first.labels,
        value: first.value / second.value,
      }));
    case 'compare': {
      const first = valueOf(expression.first);
      const second = valueOf(expression.second);
      const all = expression.second.kind === 'number' ? first.map((one) => [one, second[0]] as const) : null;
      return (all ?? pairs(first, second, expression.on)).flatMap(([one, other]) =>
        other !== undefined && isTrue(one.value, expression.operator, other.value) ? [one] : [],
      );
    }
  }
}

function isTrue(first: number, operator: Operator, second: number): boolean {
  switch (operator) {
    case '==':
      return first === second;
    case '!=':
      return first !== second;
    case '>':
      return first > second;
    case '<':
      return first < second;
  }
}

const selected = ({ name, matchers }: Selector, series: readonly Series[]): readonly Series[] =>
  series.filter((one) => one.name === name && matchers.every(({ label, accepts }) => accepts(one.labels[label] ?? '')));

/** Return how much counters grew within the window. A counter that falls was started again from 0. */
function increases(selector: Selector, series: readonly Series[], nowMs: number): readonly Element[] {
  const firstMs = nowMs - (selector.windowMs ?? 0);
  return selected(selector, series).flatMap(({ labels, points }) => {
    const [first, ...others] = points.filter(({ atMs }) => atMs >= firstMs);
    if (first === undefined || others.length === 0) return [];
    let last = first.value;
    let sum = 0;
    for (const { value } of others) {
      sum += value < last ? value : value - last;
      last = value;
    }
    return [{ labels, value: sum }];
  });
}

const keyOf = (labels: Labels, names: readonly string[]): string =>
  JSON.stringify(names.map((name) => labels[name] ?? ''));

function groups(
  elements: readonly Element[],
  by: readonly string[],
  combine: (values: readonly number[]) => number,
): readonly Element[] {
  const byKey = Map.groupBy(elements, ({ labels }) => keyOf(labels, by));
  return [...byKey.values()].map((members) => {
    const labels = members[0]?.labels ?? {};
    return {
      labels: Object.fromEntries(by.map((name) => [name, labels[name] ?? ''])),
      value: combine(members.map(({ value }) => value)),
    };
  });
}

/** Pair the elements of two vectors by these labels, by all of them for null. */
function pairs(first: readonly Element[], second: readonly Element[], on: readonly string[] | null) {
  return first.flatMap((one) => {
    const names = on ?? Object.keys(one.labels).toSorted();
    const other = second.find(({ labels }) => keyOf(labels, names) === keyOf(one.labels, names));
    return other === undefined ? [] : [[one, other] as const];
  });
}
