import { expect, test } from 'vitest';
import { absent, compare, type Expression, metric, on, or, sum, unless } from './expression.ts';

const seriesOf = (name: string, labels: Readonly<Record<string, string>>, value: number) => ({
  name,
  labels,
  points: [{ atMs: 0, value }],
});
const series = [
  seriesOf('lead', { job: 'keeper', node: 'a' }, 20),
  seriesOf('lead', { job: 'keeper', node: 'b' }, 3),
  seriesOf('limit', { job: 'keeper', node: 'a' }, 30),
  seriesOf('limit', { job: 'keeper', node: 'b' }, 1),
  seriesOf('total', { job: 'keeper', version: '1' }, 24),
  seriesOf('up', { job: 'filler' }, 0),
];
const late = compare('lead', '>', 5);

test.each<[string, Expression, readonly number[]]>([
  ['lead > 5', late, [20]],
  ['lead > limit', compare('lead', '>', 'limit'), [3]],
  ['sum by (job) (lead) < on (job) total', compare(sum('lead', ['job']), '<', on(['job'], 'total')), [23]],
  ['sum by (job) (lead) < total', compare(sum('lead', ['job']), '<', 'total'), []],
  [
    '(lead > 5) unless on () (up{job="filler"} == 0)',
    unless(late, compare(metric('up', { job: 'filler' }), '==', 0)),
    [],
  ],
  [
    '(lead > 5) unless on () (absent(up{job=~"api|filler"}))',
    unless(late, absent(metric('up', { job: ['api', 'filler'] }))),
    [20],
  ],
  ['lead > 5 or absent(nothing)', or(late, absent('nothing')), [20, 1]],
])('expression: %s → its PromQL, and the values that Prometheus has for it', (text, expression, values) => {
  expect(expression.text).toBe(text);
  expect(expression.evaluate(series, 0).map(({ value }) => value)).toEqual(values);
});
