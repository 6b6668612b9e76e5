import type { ProvingTests } from './provingTests.ts';
import type { SpecifiedItem } from './specifiedItems.ts';

/** The document that leads from each clause of the specification to the tests that hold what it names. */
export function conformanceTable(items: readonly SpecifiedItem[], tests: ProvingTests): string {
  const clauses = [...new Set(items.map(({ clause }) => clause))];
  return [
    '# Conformance',
    '',
    'Every route, field, code, param, value and limit that the specification names, by the heading it stands under, with',
    'a test that holds it; then statuses, types of events, and promises that have no name. Written by',
    '`apps/api/testing/specification/writeConformance.ts`; a test holds every line to be true.',
    '',
    ...clauses.flatMap((clause) => {
      const rows = items.filter((item) => item.clause === clause);
      const files = Map.groupBy(rows, (item) => tests.fileOf(item) ?? 'none');
      return [
        `## ${clause}`,
        '',
        ...[...files].map(
          ([file, held]) => `- [${file}](../${file}): ${held.map(({ name }) => codeOf(name)).join(', ')}`,
        ),
        '',
      ];
    }),
  ].join('\n');
}

const codeOf = (name: string): string => `\`${name.replaceAll('`', '')}\``;

/** The lines of such a document: which file holds which names of which clause. */
export function conformanceLines(
  document: string,
): readonly { readonly clause: string; readonly file: string; readonly name: string }[] {
  let clause = '';
  return document.split('\n').flatMap((line) => {
    clause = /^## (.+)$/.exec(line)?.[1] ?? clause;
    const [, file, names] = /^- \[([^\]]+)\]\([^)]+\): (.+)$/.exec(line) ?? [];
    if (file === undefined || names === undefined) return [];
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ clause, file, name }));
  });
}
