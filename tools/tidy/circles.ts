import { dirname, join } from 'node:path';
import { isGenerated, isTest, isTypeScript, type Offence, packageOf, type SourceFile } from './workspace.ts';

interface Import {
  readonly from: string;
  readonly to: string;
}

const specifier = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Return every relative import of product code, types included. */
function importsOf(files: readonly SourceFile[]): Import[] {
  return files
    .filter((file) => isTypeScript(file.path) && !isTest(file.path) && !isGenerated(file.path))
    .flatMap((file) =>
      [...file.text.matchAll(specifier)].map((found) => ({
        from: file.path,
        to: join(dirname(file.path), found[1] ?? ''),
      })),
    )
    .filter(({ from, to }) => packageOf(from) === packageOf(to));
}

interface Neighbours {
  readonly folder: string;
  readonly a: string;
  readonly b: string;
}

/** Return the deepest folder that holds both ends of an import, and its entries on the way to either. */
function neighboursOf({ from, to }: Import): Neighbours {
  const [left, right] = [from.split('/'), to.split('/')];
  let depth = 0;
  while (depth < left.length - 1 && left[depth] === right[depth]) depth += 1;
  return { folder: left.slice(0, depth).join('/'), a: left[depth] ?? '', b: right[depth] ?? '' };
}

/** Circular imports inside a package: at no level may two neighbours, files or folders, reach each other. */
export function importCircles(files: readonly SourceFile[]): Offence[] {
  const edgesByFolder = new Map<string, Map<string, Map<string, Import>>>();
  for (const one of importsOf(files)) {
    const { folder, a, b } = neighboursOf(one);
    const edges = edgesByFolder.get(folder) ?? new Map<string, Map<string, Import>>();
    edgesByFolder.set(folder, edges.set(a, (edges.get(a) ?? new Map<string, Import>()).set(b, one)));
  }
  return [...edgesByFolder].flatMap(([folder, edges]) => circlesOf(folder, edges));
}

type Edges = ReadonlyMap<string, ReadonlyMap<string, Import>>;

/** Return one offence per knot with its members and one shortest circle through it. */
function circlesOf(folder: string, edges: Edges): Offence[] {
  const covered = new Set<string>();
  return [...edges.keys()].flatMap((start) => {
    if (covered.has(start)) return [];
    const circle = shortestCircleOf(start, edges);
    if (circle === null) return [];
    const knot = knotOf(start, edges);
    for (const member of knot) covered.add(member);
    const steps = circle.map(({ from, to }) => `${from.slice(folder.length + 1)} → ${to.slice(folder.length + 1)}`);
    return [{ where: folder, what: `a circle of ${knot.length} (${knot.join(', ')}): ${steps.join('; ')}` }];
  });
}

function shortestCircleOf(start: string, edges: Edges): Import[] | null {
  const queue: { readonly at: string; readonly path: Import[] }[] = [{ at: start, path: [] }];
  const visited = new Set<string>();
  for (const { at, path } of queue) {
    for (const [next, edge] of edges.get(at) ?? []) {
      if (next === start) return [...path, edge];
      if (!visited.has(next)) queue.push({ at: next, path: [...path, edge] });
      visited.add(next);
    }
  }
  return null;
}

/** Return all nodes that the start reaches and that reach it. */
function knotOf(start: string, edges: Edges): string[] {
  const forward = reachedFrom(start, edges);
  return [start, ...[...forward].filter((node) => node !== start && reachedFrom(node, edges).has(start))].toSorted();
}

function reachedFrom(start: string, edges: Edges): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (const node of open) {
    for (const next of edges.get(node)?.keys() ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}
