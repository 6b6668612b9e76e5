import { expect, test } from 'vitest';
import { failedTaskOf, RoomOutput, roomOfTask } from './roomOutput.ts';

test('a failed task is shown by its last lines, whatever other rooms printed meanwhile', () => {
  const output = new RoomOutput();
  for (let line = 0; line < 400; line += 1) {
    output.add(`@core/store:test: store ${line}`);
    output.add(`@core/api:test: api ${line}`);
    output.add(`turbo's own line ${line}`);
  }
  const shown = output.failures(['@core/store:test']);
  expect(shown).toContain('@core/store:test failed');
  expect(shown).toContain('\nstore 399\n');
  expect(shown).toContain('\nstore 250\n');
  expect(shown).not.toMatch(/store 249|api|turbo/v);
  expect(output.failures([])).toBe('');
});

test('a failure is read from the line in which turbo reports it', () => {
  expect(failedTaskOf('@core/venue-sim#test:  ERROR  command (/x/apps/venue-sim) pnpm run test exited (1)')).toBe(
    '@core/venue-sim:test',
  );
  expect(roomOfTask('@core/venue-sim:test')).toBe('@core/venue-sim');
  expect(failedTaskOf('@core/venue-sim:test: an ERROR  of its own')).toBeNull();
  expect(failedTaskOf(' Failed:    @core/devnet#test')).toBeNull();
});

test('files in which tests failed are read from the list at the end of a run', () => {
  const output = new RoomOutput();
  const red = '\u001B[41m\u001B[1m FAIL \u001B[22m\u001B[49m';
  for (const text of [
    `${red} test/life.test.ts\u001B[2m > \u001B[22ma life`,
    `${red} test/life.test.ts > another`,
    ' FAIL  src/a/b.prop.test.ts [ src/a/b.prop.test.ts ]',
    ' ❯ test/other.test.ts (3 tests | 1 failed)',
  ]) {
    output.add(`@core/keeper:test: ${text}`);
  }
  expect(output.failedFilesOf('@core/keeper:test')).toEqual(['test/life.test.ts', 'src/a/b.prop.test.ts']);
  expect(output.failedFilesOf('@core/api:test')).toEqual([]);
});
