import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LogFile } from './logFile.ts';
import { levelOf, shownLine } from './logLine.ts';

const line = JSON.stringify({ level: 40, time: 1_700_000_000_123, pid: 7, msg: 'node is behind', ageMs: 90 });

test('a logger line is formatted as time, level, message and fields', () => {
  expect(shownLine(line)).toBe('22:13:20.123 WARN  node is behind ageMs=90');
  expect(levelOf(line)).toBe('warn');
});

test('an error is reduced to its message, other text is unchanged', () => {
  const failed = JSON.stringify({ level: 50, time: 0, msg: 'failed', err: { message: 'no answer', stack: 'long' } });
  expect(shownLine(failed)).toBe('00:00:00.000 ERROR failed err="no answer"');
  for (const text of ['database is ready', '{"torn":', '{}'])
    expect([shownLine(text), levelOf(text)]).toEqual([text, 'info']);
});

test('a followed file yields complete lines only and restarts after truncation', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'log-')), 'api.log');
  writeFileSync(file, 'old\n');
  const log = new LogFile(file);
  expect(log.read()).toBe('');
  appendFileSync(file, 'first\nsec');
  expect(log.read()).toBe('first\n');
  appendFileSync(file, 'ond\n');
  expect(log.read()).toBe('second\n');
  writeFileSync(file, 'new\n');
  expect(log.read()).toBe('new\n');
});
