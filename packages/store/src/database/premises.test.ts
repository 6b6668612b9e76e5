import { expect, test } from 'vitest';
import { brokenPremiseOf, type SessionState } from './premises.ts';

const ownSettings = { TimeZone: 'UTC', statement_timeout: '10000' };
const sound: SessionState = {
  settings: ownSettings,
  isOneProcess: true,
  isReadOnly: false,
  isStandby: false,
  schema: 'public',
};

test('brokenPremiseOf: null for a session that meets all premises', () => {
  expect(brokenPremiseOf(sound, ownSettings)).toBeNull();
});

test.each<[string, Partial<SessionState>, RegExp]>([
  ['a setting that was dropped', { settings: { ...ownSettings, TimeZone: 'Europe/Berlin' } }, /^TimeZone .*pooler/],
  ['a setting that is unknown', { settings: { TimeZone: 'UTC' } }, /^statement_timeout .*pooler/],
  ['statements at several processes', { isOneProcess: false }, /^session: .*pooler/],
  ['a standby', { isStandby: true, isReadOnly: true }, /^recovery: .*primary/],
  ['a database without writes', { isReadOnly: true }, /^default_transaction_read_only .*reset/],
  ['another schema', { schema: 'lev' }, /^search_path .*lev.*public/],
  ['no schema', { schema: null }, /^search_path .*public/],
])('brokenPremiseOf: names the premise and the remedy for %s', (_name, change, text) => {
  expect(brokenPremiseOf({ ...sound, ...change }, ownSettings)).toMatch(text);
});
