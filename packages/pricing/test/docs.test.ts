import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as pricing from '../src/index.ts';

const guide = readFileSync(new URL('../../../docs/pricing.md', import.meta.url), 'utf8');
const source = new URL('../src/index.ts', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'pricing-guide-'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const examples = [...guide.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map((match, index) => ({
  name: `example ${index + 1}`,
  code: match[1] ?? '',
  output: match[2] ?? '',
}));

test('the guide contains worked examples', () => {
  expect(examples.length).toBe(2);
});

test.each(examples)('$name of the guide prints the documented output', ({ name, code, output }) => {
  const file = join(folder, `${name.replace(' ', '')}.ts`);
  writeFileSync(file, code.replaceAll("'@core/pricing'", `'${source}'`));
  expect(execFileSync(process.execPath, [file], { encoding: 'utf8' })).toBe(output);
});

test('every function that the guide names is exported', () => {
  const named = [...guide.matchAll(/`([a-z][A-Za-z]+(?:Of|For|Position|Size|Quote|Asks|Bids|Unwind|Close|Margin))`/g)];
  expect(named.length).toBeGreaterThan(30);
  expect(named.map((match) => match[1] ?? '').filter((name) => !(name in pricing))).toEqual([]);
});
