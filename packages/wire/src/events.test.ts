import { describe, expect, test } from 'vitest';
import { type EventDefinition, events, notificationCodes, sampleEventsOf } from './events.ts';

const definitions: ReadonlyArray<readonly [string, EventDefinition]> = Object.entries(events);

describe('the event table', () => {
  test.each(definitions)('%s: every sample fits its own schema and nothing is left over', (_type, definition) => {
    for (const sample of definition.samples) {
      expect(definition.data.encode(definition.data.decode(sample))).toEqual(sample);
    }
  });

  test('a key rehearses 15 events, a token 19', () => {
    expect(sampleEventsOf('partner')).toHaveLength(15);
    expect(sampleEventsOf('user')).toHaveLength(19);
    expect(sampleEventsOf('user').filter(({ type }) => type === 'notification')).toHaveLength(notificationCodes.length);
  });
});
