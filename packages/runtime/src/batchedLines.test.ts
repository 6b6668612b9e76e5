import { expect, test } from 'vitest';
import { batchedLines } from './batchedLines.ts';

const info = (text: string): string => `{"level":30,"msg":"${text}"}\n`;
const error = '{"level":50,"msg":"broken"}\n';

test('lines wait for each other and keep their order, a warning takes them along', async () => {
  const written: string[] = [];
  const lines = batchedLines({ write: (text) => written.push(text) });
  lines.write(info('one'));
  lines.write(info('two'));
  expect(written).toEqual([]);
  lines.write(error);
  expect(written).toEqual([`${info('one')}${info('two')}${error}`]);
  lines.write(info('three'));
  await expect.poll(() => written.length).toBe(2);
  expect(written[1]).toBe(info('three'));
});

test('what waits is bounded', () => {
  const written: string[] = [];
  const lines = batchedLines({ write: (text) => written.push(text) });
  for (let index = 0; index < 100; index += 1) lines.write(info('x'.repeat(1_000)));
  expect(written.length).toBeGreaterThan(0);
});
