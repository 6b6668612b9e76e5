import { contractsRoot } from '../../local/contractsRoot.ts';
import { recordOf } from '../../local/recordOf.ts';
import { compileSolidity } from '../project/compileSolidity.ts';

interface StorageEntry {
  readonly label: string;
  readonly slot: string;
  readonly offset: number;
  readonly type: string;
}
interface StorageType {
  readonly label: string;
  readonly numberOfBytes: string;
  readonly members?: readonly StorageEntry[];
}
interface StorageLayout {
  readonly storage: readonly StorageEntry[];
  readonly types: Readonly<Record<string, StorageType>> | null;
}

const contractNames = ['Vault', 'LiquidityPool', 'PositionAccount'] as const;

/** Every contract that keeps state → one line per variable and struct member: slot, byte offset, type, name. */
export function storageLayouts(): Readonly<Record<(typeof contractNames)[number], readonly string[]>> {
  return recordOf(contractNames, (name) => linesOf(layoutOf(name)));
}

export function storagePage(layouts: Readonly<Record<string, readonly string[]>>): string {
  const sections = Object.entries(layouts).flatMap(([name, lines]) => [
    `## ${name}`,
    '',
    ...(lines.length === 0 ? ['Nothing is stored.'] : ['```', ...lines, '```']),
    '',
  ]);
  return [
    '# Storage layout',
    '',
    'Written by `pnpm --filter @core/contracts figures`; do not edit. A test of every run compiles it again and compares.',
    '',
    ...sections,
  ].join('\n');
}

/** Compiled without generating code. */
function layoutOf(name: string): StorageLayout {
  const source = `src/${name}.sol`;
  const settings = { outputSelection: { [source]: { [name]: ['storageLayout'] } } };
  const { contracts } = compileSolidity<StorageLayout>({ root: contractsRoot, source, settings });
  const layout = contracts?.[source]?.[name]?.storageLayout;
  if (layout === undefined) throw new Error(`no storage layout of ${name}`);
  return layout;
}

function linesOf(layout: StorageLayout): readonly string[] {
  const types = layout.types ?? {};
  const lineOf = (entry: StorageEntry) =>
    `slot ${entry.slot} byte ${entry.offset} ${types[entry.type]?.label ?? entry.type} ${entry.label}`;
  const structs = Object.values(types)
    .filter((type) => type.members !== undefined)
    .sort((a, b) => a.label.localeCompare(b.label))
    .flatMap((type) => [
      `${type.label} (${type.numberOfBytes} bytes)`,
      ...(type.members ?? []).map((member) => `  ${lineOf(member)}`),
    ]);
  return [...layout.storage.map(lineOf), ...structs];
}
