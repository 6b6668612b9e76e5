import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { colouredText, shownText } from './terminalText.ts';

test('control characters of a ticker are escaped', () => {
  const ticker = 'evil\u001b]0;TITLE\u0007\u001b[31mRED\u001b[2K';
  expect(shownText(ticker)).toBe('evil\\u001b]0;TITLE\\u0007\\u001b[31mRED\\u001b[2K');
});

test('escaped text has no control character and equal JSON value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      // oxlint-disable-next-line eslint/no-control-regex -- these are the characters that must not reach a terminal.
      expect(shownText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      expect(JSON.parse(shownText(JSON.stringify(text)))).toBe(text);
    }),
  );
});

test('check marks and crosses are coloured, other text is not', () => {
  expect(colouredText('✔ ready')).toBe('\u001b[32m✔\u001b[39m ready');
  expect(colouredText('ready')).toBe('ready');
});
