import { expect, test } from 'vitest';
import { subjectFault } from './commitSubjects.ts';

test.each([
  'keeper: report zero held shares while the chain is away',
  'sdk, lev: need a price',
  'docs: feed the index',
])('accepts: %s', (subject) => {
  expect(subjectFault(subject)).toBeNull();
});

test.each([
  ['Report zero held shares', /form/],
  ['keeper: Report zero', /form/],
  ['keeper: reported zero', /no imperative/],
  ['keeper: reporting zero', /no imperative/],
  ['keeper: report zero.', /full stop/],
  [`keeper: report ${'x'.repeat(60)}`, /75 columns/],
])('refuses: %s', (subject, fault) => {
  expect(subjectFault(subject)).toMatch(fault);
});
