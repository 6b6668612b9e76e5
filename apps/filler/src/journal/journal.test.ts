import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import { zeroAddress, zeroHash } from 'viem';
import { afterAll, expect, test } from 'vitest';
import { Journal, readJournal } from './journal.ts';
import type { JournalLine, SignedCall } from './journalLines.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'filler-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
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

const movement = { hash: zeroHash, blockNumber: 7n, kind: 'fill', usdcUnits: -3n, tokens: [] } as const;

test('a journal that is opened again has unfinished effects, movements and gas, and no finished effects', () => {
  const file = newFile();
  const journal = new Journal(file);
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
  const again = new Journal(file);
  expect([...again.state.calls].map(([id, calls]) => [id, calls.length])).toEqual([['fill:b', 2]]);
  expect(again.state).toMatchObject({ opened: beginning, gasWei: 21n, throughBlock: 9n, movements: [movement] });
  again.close();
  expect(readFileSync(file, 'utf8')).not.toContain('fill:a');
  expect(readJournal(file)).toEqual(again.state);
});

test('a line that was cut off by a crash is dropped, and the next line stands alone', () => {
  const file = newFile();
  const journal = new Journal(file);
  journal.write(beginning);
  journal.close();
  appendFileSync(file, '{"kind":"gas","wei":"big');
  const again = new Journal(file);
  again.write({ kind: 'gas', wei: 4n });
  again.close();
  expect(readJournal(file).gasWei).toBe(4n);
});

test('a line that is no line of a journal is refused', () => {
  const file = newFile();
  writeFileSync(file, '{"kind":"other"}\n');
  expect(() => new Journal(file)).toThrow('Invalid');
});

test('a journal of another account is refused, its own begins once', async () => {
  const journal = new Journal(newFile());
  const owner = { chainId: 1, vault: zeroAddress, account: zeroAddress };
  await journal.begin(owner, async () => beginning);
  await journal.begin(owner, () => Promise.reject(new Error('the accounts began before')));
  expect(journal.state.throughBlock).toBe(5n);
  await expect(journal.begin({ ...owner, chainId: 2 }, async () => beginning)).rejects.toThrow(FriendlyError);
  journal.close();
});
