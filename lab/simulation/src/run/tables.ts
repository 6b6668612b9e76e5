import type { WorldRequest } from './worldRequest.ts';

type Scenario = WorldRequest['scenario'];

/** Return the lines of a document between which the table of a scenario is stored. */
export const tableMarksOf = (scenario: Scenario): readonly [begin: string, end: string] => [
  `<!-- written by \`simulate ${scenario}\` -->`,
  `<!-- end of the ${scenario} -->`,
];

/** Return a Markdown table. */
export function tableOf(columns: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  const ruled = [columns, columns.map(() => '---'), ...lines];
  return ruled.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * Return a document with another table between the marks of a scenario.
 * @throws Error for a document without them.
 */
export function withTable(document: string, scenario: Scenario, table: string): string {
  const [begin, end] = tableMarksOf(scenario);
  const [first, last] = [document.indexOf(begin), document.indexOf(end)];
  if (first < 0 || last < first) throw new Error(`the document has no place for the table: ${begin}`);
  return `${document.slice(0, first + begin.length)}\n${table}\n${document.slice(last)}`;
}
