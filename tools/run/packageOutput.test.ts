import { expect, test } from 'vitest';
import { failedTaskOf, PackageOutput } from './packageOutput.ts';

test('failures: prints the last lines of a failed task, without other packages', () => {
  const output = new PackageOutput();
  for (let line = 0; line < 400; line += 1) {
    output.add(`@core/store:test: store ${line}`);
    output.add(`@core/api:test: api ${line}`);
    output.add(`turbo's own line ${line}`);
  }
  const report = output.failures(['@core/store:test']);
  expect(report).toContain('@core/store:test failed');
  expect(report).toContain('\nstore 399\n');
  expect(report).toContain('\nstore 250\n');
  expect(report).not.toMatch(/store 249|api|turbo/v);
  expect(output.failures([])).toBe('');
});

test('failedTaskOf: reads the line in which turbo reports a failure', () => {
  expect(failedTaskOf('@core/venue-sim#test:  ERROR  command (/x/apps/venue-sim) pnpm run test exited (1)')).toEqual({
    task: '@core/venue-sim:test',
    script: 'test',
    folder: '/x/apps/venue-sim',
  });
  expect(failedTaskOf('@core/venue-sim:test: an ERROR  of its own')).toBeNull();
  expect(failedTaskOf(' Failed:    @core/devnet#test')).toBeNull();
});
