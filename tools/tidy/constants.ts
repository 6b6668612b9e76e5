import { isGenerated, isTest, isTypeScript, lineAt, type Offence, type SourceFile } from './workspace.ts';

interface TableEntry {
  readonly table: string;
  readonly key: string;
  readonly where: string;
}

/** Return the first-level entries of the tables that files named `constants.ts` export. */
function entriesOf(file: SourceFile): TableEntry[] {
  return [...file.text.matchAll(/^export const (\w+)[^=\n]*= \{\n([\s\S]*?)^\}/gm)].flatMap((table) =>
    [...(table[2] ?? '').matchAll(/^ {2}(\w+)(?=[:,])/gm)].map((entry) => ({
      table: table[1] ?? '',
      key: entry[1] ?? '',
      where: `${file.path}:${lineAt(file.text, table.index + table[0].indexOf(table[2] ?? '') + entry.index)}`,
    })),
  );
}

/**
 * Entries of a constants table that no product code reads. A constant with an export of its own is covered by the
 * unused exports.
 */
export function constantsReadByTestsOnly(files: readonly SourceFile[]): Offence[] {
  const product = files.filter((file) => isTypeScript(file.path) && !isTest(file.path) && !isGenerated(file.path));
  return product
    .filter((file) => file.path.endsWith('/constants.ts'))
    .flatMap(entriesOf)
    .filter(({ table, key }) => {
      const read = new RegExp(String.raw`\b${table}\.${key}\b|\{[^{}]*\b${key}\b[^{}]*\} = ${table}\b`);
      return !product.some((file) => read.test(file.text));
    })
    .map(({ table, key, where }) => ({ where, what: `no product code reads ${table}.${key}` }));
}
