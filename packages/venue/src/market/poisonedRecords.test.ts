import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMarketRecord } from './parseMarketRecord.ts';

const recordOf = (changes: object) => ({
  slug: 'rain-in-june',
  version: 'v1',
  question: 'Will it rain in June?',
  conditionId: `0x${'c0'.repeat(32)}`,
  outcomes: '["Yes","No"]',
  clobTokenIds: '["1","2"]',
  closed: false,
  ...changes,
});

/** Every text in a value, whatever its depth. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const isClean = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

test.each([
  ['NUL', 'Will it rain\u0000 in June?', 'Will it rain in June?'],
  ['half a surrogate', 'Will it rain \ud83c in June?', 'Will it rain \ufffd in June?'],
  ['the other half', '\udf27 rain?', '\ufffd rain?'],
  ['a line break and a terminal code', 'Rain\nin\u001b[31m June?', 'Rain in[31m June?'],
  ['a whole pair', 'Rain \ud83c\udf27?', 'Rain \ud83c\udf27?'],
])('record: %s in its title → the market is listed under a clean one', (_name, question, title) => {
  expect(parseMarketRecord(recordOf({ question }))).toMatchObject({ kind: 'market', market: { title } });
});

test('record: odd characters in several fields → it is read with clean texts alone, or named with a clean slug', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '\u0000', '\u0085', '\ud800', '\udfff', '\ud83c\udf27') });
  const record = fc.record(
    {
      slug: fc.oneof(fc.constant('rain-in-june'), text),
      id: text,
      question: text,
      groupItemTitle: text,
      sportsMarketType: text,
      outcomes: fc.tuple(text, text),
      events: fc.tuple(
        fc.record({ slug: text, title: text, score: text, period: text, series: fc.tuple(fc.record({ slug: text })) }),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(record, (changes) => {
      const parsed = parseMarketRecord(recordOf(changes));
      expect(textsIn(parsed).filter((one) => !isClean(one))).toEqual([]);
      const hasSlug = changes.slug === undefined || (changes.slug !== '' && isClean(changes.slug));
      expect(parsed.kind).toBe(hasSlug ? 'market' : 'unreadable');
    }),
  );
});
