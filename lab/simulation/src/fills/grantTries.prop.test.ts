import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillCountsOf, type GrantEvent, grantTriesOf } from './grantTries.ts';

const keys = ['0xaa', '0xbb'] as const;
const eventsArbitrary = fc
  .array(
    fc.record({
      kind: fc.constantFrom('grant', 'fill'),
      key: fc.constantFrom(...keys),
      purpose: fc.constantFrom(1, 2),
      afterSeconds: fc.nat(20),
    }),
    { maxLength: 40 },
  )
  .map((events) => {
    let at = 1_000;
    return events.map(({ afterSeconds, ...event }): GrantEvent => {
      at += afterSeconds;
      return { ...event, at };
    });
  });

test('grants of a chain → each belongs to one try, which is due before it is filled', () => {
  fc.assert(
    fc.property(eventsArbitrary, (events) => {
      const tries = grantTriesOf(events);
      const sum = tries.reduce((total, { grants }) => total + grants, 0);
      expect(sum).toBe(events.filter(({ kind }) => kind === 'grant').length);
      for (const { dueAt, filledAt } of tries) expect(filledAt ?? dueAt).toBeGreaterThanOrEqual(dueAt);
      const open = tries.filter(({ filledAt }) => filledAt === null);
      expect(new Set(open.map(({ key, purpose }) => `${key} ${purpose}`)).size).toBe(open.length);
    }),
  );
});

test('tries and requests without a grant → each is counted once', () => {
  fc.assert(
    fc.property(eventsArbitrary, fc.nat(5), (events, ungranted) => {
      const tries = grantTriesOf(events);
      const { due, first, second, later, never } = fillCountsOf(tries, ungranted);
      expect(first + second + later + never).toBe(due);
      expect(due).toBe(tries.length + ungranted);
    }),
  );
});

test('two grants and two fills of a position → filled in the second, at its last fill; the next grant is another try', () => {
  const event = (kind: GrantEvent['kind'], at: number): GrantEvent => ({ kind, key: '0xaa', purpose: 2, at });
  const events = [event('grant', 10), event('grant', 24), event('fill', 30), event('fill', 32), event('grant', 40)];
  const tries = grantTriesOf(events);
  expect(tries).toEqual([
    { key: '0xaa', purpose: 2, dueAt: 10, grants: 2, filledAt: 32 },
    { key: '0xaa', purpose: 2, dueAt: 40, grants: 1, filledAt: null },
  ]);
  const counts = { due: 2, first: 0, second: 1, later: 0, never: 1, p50: 22, p95: 22 };
  expect(fillCountsOf(tries)).toEqual(counts);
  expect(fillCountsOf([])).toMatchObject({ due: 0, p50: null, p95: null });
});
