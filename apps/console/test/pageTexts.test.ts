import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { textOffences } from '../testing/textOffences.ts';

const folder = fileURLToPath(new URL('../web/src/', import.meta.url));

const faultsOf = (text: string): readonly string[] =>
  textOffences([{ name: 'page.tsx', text }]).map((offence) => offence.replace(/^page\.tsx:\d+: /, ''));

/** Return the faults of an element in a page with an optional and a required component. */
const faultsIn = (element: string): readonly string[] =>
  faultsOf(`
    import { cents } from '../money.ts';
    function Maybe({ is }) { return is ? <b>yes</b> : null; }
    function Always({ is }) { if (is) return <b>yes</b>; return <i>no</i>; }
    const element = ${element};
  `);

test('pages: text that may change → alone in its element, and figures are not translated', () => {
  const names = globSync('**/*.tsx', { cwd: folder }).toSorted();
  expect(names.length).toBeGreaterThan(50);
  expect(textOffences(names.map((name) => ({ name, text: readFileSync(`${folder}${name}`, 'utf8') })))).toEqual([]);
});

test.for([
  '<p>{status}</p>',
  '<p>{isOpen ? first : second}</p>',
  '<p>Price of <b>{title}</b> now</p>',
  "<p>Price of{' '}<Always /> now</p>",
  '<p><b>{title}</b>{isOpen && <i>open</i>}{list.map((one) => <i key={one}>{one}</i>)}</p>',
  '<p translate="no">{cents(pips)}</p>',
  '<Figure>{isOpen ? "none" : cents(pips)}</Figure>',
  '<p>{list.map((one) => one.name).join()}</p>',
])('rule: %s → no offence', (element) => {
  expect(faultsIn(element)).toEqual([]);
});

test.for([
  ['<p>{count} markets</p>', 'text that may change beside other children'],
  ["<p>{' '}{note}</p>", 'text that may change beside other children'],
  ['<p>{title}<b>open</b></p>', 'text that may change beside other children'],
  ["<p><b>x</b>{isOpen ? '' : title}</p>", 'text that may change beside other children'],
  ['<Fact>{title} ({share})</Fact>', 'text that may change beside other children'],
  ['<p>{isOpen && <b>open</b>} now</p>', 'text beside elements that come and go'],
  ['<p><Maybe /> now</p>', 'text beside elements that come and go'],
  ['<><b>x</b> now</>', 'text in a fragment'],
  ['<p>{list.map((one) => one.name)}</p>', 'list of texts'],
  ['<p>{cents(pips)}</p>', 'figure that may be translated'],
  // oxlint-disable-next-line no-template-curly-in-string -- source of a page.
  ['<p>{`at ${cents(pips)}`}</p>', 'figure that may be translated'],
] as const)('rule: %s → %s', ([element, fault]) => {
  expect(faultsIn(element)).toEqual([fault]);
});

test('rule: a component or a cell of a table that returns text → an offence', () => {
  expect(faultsOf('function Name({ name }) { return name; }')).toEqual(['text returned by a component']);
  expect(faultsOf("const columns = [{ cell: ({ row }) => row.name ?? '–' }];")).toEqual([
    'text returned for a cell',
    'text returned for a cell',
  ]);
});
