import { describe, expect, test } from 'vitest';
import { notificationCodes } from './events/notifications.ts';
import { type EventDefinition, events, sampleEventsOf } from './events.ts';

const definitions: ReadonlyArray<readonly [string, EventDefinition]> = Object.entries(events);

describe('events', () => {
  test.each(definitions)('%s: every sample fits its schema without extra fields', (_type, definition) => {
    expect(definition.samples.length).toBeGreaterThan(0);
    for (const sample of definition.samples) {
      expect(definition.data.encode(definition.data.decode(sample))).toEqual(sample);
    }
  });

  test('a key rehearses 16 events, a token 20', () => {
    expect(sampleEventsOf('partner')).toHaveLength(16);
    expect(sampleEventsOf('user')).toHaveLength(20);
    expect(sampleEventsOf('user').filter(({ type }) => type === 'notification')).toHaveLength(notificationCodes.length);
  });
});
