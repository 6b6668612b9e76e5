import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { detailOf, outcomeOf } from '../web/src/markets/marketRows.ts';
import { webUrlOf } from '../web/src/parts/webUrl.ts';

const market = { category: 'crypto', title: 'A title', ticker: 'a-market' } as const;

test.each<[string, readonly [yes: string | null, no: string | null], string]>([
  ['teams', ['Ghost Relay', 'Ember Line'], 'crypto · YES: Ghost Relay · NO: Ember Line'],
  ['a title in the event', ['Draw', 'No'], 'crypto · YES: Draw'],
  ['a plain yes and no', ['Yes', 'No'], 'crypto'],
  ['no names', [null, null], 'crypto'],
  ['blank names', [' ', ''], 'crypto'],
])('detail: %s', (_name, [yes, no], text) => {
  expect(detailOf({ ...market, yes_sub_title: yes, no_sub_title: no })).toBe(text);
});

test('outcome: a name that repeats the side is none', () => {
  expect(outcomeOf({ yes_sub_title: 'YES', no_sub_title: 'Yes' }, 'yes')).toBeNull();
  expect(outcomeOf({ yes_sub_title: 'YES', no_sub_title: 'Yes' }, 'no')).toBe('Yes');
});

test.each([
  ['https://www.hltv.org/events', 'https://www.hltv.org/events'],
  ['http://example.com', 'http://example.com/'],
  ['official score of the league', null],
  ['javascript:alert(1)', null],
  ['data:text/html,<script>', null],
  ['https://polygonscan.com@evil.example/', null],
  ['//example.com', null],
])('web URL: %s', (text, url) => {
  expect(webUrlOf(text)).toBe(url);
});

test('web URL: every address begins with http or https', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((rest) => `javascript:${rest}`),
      ),
      (text) => {
        expect(webUrlOf(text) ?? 'http://').toMatch(/^https?:\/\//);
      },
    ),
  );
});
