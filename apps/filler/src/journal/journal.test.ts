import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Fault } from '@core/errors';
import { FriendlyError } from '@core/runtime';
import { FullDisk } from '@core/runtime/testing';
import { zeroAddress, zeroHash } from 'viem';
import { afterAll, expect, test } from 'vitest';
import { Journal, readJournal } from './journal.ts';
import type { JournalLine, SignedCall } from './journalLines.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'filler-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const silent = { warn: () => undefined };
let count = 0;
const newFile = (): string => {
  count += 1;
  return path.join(folder, `${count}.ndjson`);
};

const beginning: JournalLine = {
  kind: 'opened',
  chainId: 1,
  vault: zeroAddress,
  account: zeroAddress,
  blockNumber: 5n,
  usdcUnits: 10n ** 18n,
};

const callOf = (id: string, nonce: number): SignedCall => ({
  kind: 'call',
  id,
  purpose: 'fill',
  nonce,
  to: zeroAddress,
  data: '0x',
  gas: 1n,
  maxFeePerGasWei: 1n,
  maxPriorityFeeWei: 1n,
  hash: zeroHash,
  rawTransaction: '0x',
});

const gasLine = (wei: bigint): string => `{"kind":"gas","wei":"bigint:${wei}"}\n`;

const movement = { hash: zeroHash, blockNumber: 7n, kind: 'fill', usdcUnits: -3n, tokens: [] } as const;

test('a journal that is opened again has unfinished effects, movements and gas, and no finished effects', () => {
  const file = newFile();
  const journal = new Journal(file, silent);
  const lines: readonly JournalLine[] = [
    beginning,
    callOf('fill:a', 0),
    callOf('fill:b', 1),
    callOf('fill:b', 1),
    { kind: 'call_end', id: 'fill:a', outcome: 'included', gasWei: 21n },
    { kind: 'booked', throughBlock: 9n, movements: [movement] },
  ];
  for (const line of lines) journal.write(line);
  journal.close();
  const again = new Journal(file, silent);
  expect([...again.state.calls].map(([id, calls]) => [id, calls.length])).toEqual([['fill:b', 2]]);
  expect(again.state).toMatchObject({ opened: beginning, gasWei: 21n, throughBlock: 9n, movements: [movement] });
  again.close();
  expect(readFileSync(file, 'utf8')).not.toContain('fill:a');
  expect(readJournal(file)).toEqual(again.state);
});

test('a line that was cut off by a crash is dropped, and the next line stands alone', () => {
  const file = newFile();
  const journal = new Journal(file, silent);
  journal.write(beginning);
  journal.close();
  appendFileSync(file, '{"kind":"gas","wei":"big');
  const again = new Journal(file, silent);
  again.write({ kind: 'gas', wei: 4n });
  again.close();
  expect(readJournal(file).gasWei).toBe(4n);
});

test.each([
  ['another form', '{"kind":"other"}\n', 1],
  ['a half line with a whole one behind it', `${gasLine(1n)}{"kind":"call","id":"fi${gasLine(2n)}`, 2],
])('a line of %s is refused with file and number, and says what to do', (_name, content, number) => {
  const file = newFile();
  writeFileSync(file, content);
  const open = () => new Journal(file, silent);
  expect(open).toThrow(FriendlyError);
  expect(open).toThrow(`Line ${number} of ${file} cannot be read`);
  expect(readFileSync(file, 'utf8')).toBe(content);
});

test('a full disk: the state is that of the file, and lines follow once there is room', () => {
  const file = newFile();
  const disk = new FullDisk();
  const journal = new Journal(file, silent, disk);
  journal.write(beginning);
  journal.write(callOf('fill:a', 0));
  disk.roomBytes = 20;
  expect(() => journal.write(callOf('fill:b', 1))).toThrow(Fault);
  expect(journal.problem).toBe(`${file} cannot be written: ENOSPC: no space left on device`);
  expect(readJournal(file)).toEqual(journal.state);
  disk.roomBytes = 2 ** 17;
  expect(journal.retry()).toContain('ENOSPC');
  disk.roomBytes = Number.POSITIVE_INFINITY;
  expect(journal.retry()).toBeNull();
  journal.write(callOf('fill:c', 1));
  journal.close();
  expect([...readJournal(file).calls.keys()]).toEqual(['fill:a', 'fill:c']);
});

test('an end that the disk does not take: a start before it is written resolves the call again', () => {
  const file = newFile();
  const disk = new FullDisk();
  const journal = new Journal(file, silent, disk);
  journal.write(beginning);
  journal.write(callOf('fill:a', 0));
  disk.roomBytes = 0;
  journal.end({ kind: 'call_end', id: 'fill:a', outcome: 'included', gasWei: 21n });
  expect(journal.problem).toContain('ENOSPC');
  expect([...readJournal(file).calls.keys()]).toEqual(['fill:a']);
  expect(() => journal.write(callOf('fill:b', 1))).toThrow(Fault);
  disk.roomBytes = Number.POSITIVE_INFINITY;
  journal.write(callOf('fill:b', 1));
  journal.close();
  expect(readJournal(file)).toEqual(journal.state);
  expect(journal.state).toMatchObject({ gasWei: 21n, calls: new Map([['fill:b', [callOf('fill:b', 1)]]]) });
});

test('a journal of another account is refused, its own begins once', async () => {
  const journal = new Journal(newFile(), silent);
  const owner = { chainId: 1, vault: zeroAddress, account: zeroAddress };
  await journal.begin(owner, async () => beginning);
  await journal.begin(owner, () => Promise.reject(new Error('the accounts began before')));
  expect(journal.state.throughBlock).toBe(5n);
  await expect(journal.begin({ ...owner, chainId: 2 }, async () => beginning)).rejects.toThrow(FriendlyError);
  journal.close();
});
