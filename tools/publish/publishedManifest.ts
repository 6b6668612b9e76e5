import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../tidy/workspace.ts';
import { type Manifest, type PublishedPackage, publicNameOf, publishedPackages, workspaceScope } from './published.ts';

/** Every maintained Node; the emitted code is ES2022. */
const oldestNode = '>=20';

/**
 * Derive the manifest of a published package from its workspace manifest and its imports. It lists exactly the packages
 * that its files import.
 *
 * @param imported Workspace names of packages.
 * @param folders Folders beside the code whose files may be imported by path.
 * @throws Error for an import that the workspace manifest does not list, or of an unpublished package.
 */
export function publishedManifest(
  pkg: PublishedPackage,
  imported: readonly string[],
  folders: readonly string[],
): Readonly<Record<string, unknown>> {
  const { manifest } = pkg;
  const peers = manifest.peerDependencies ?? {};
  const dependencies = [...new Set(imported)].filter((name) => peers[name] === undefined).toSorted();
  const { description, peerDependenciesMeta } = manifest;
  return {
    name: publicNameOf(manifest.name),
    version: manifest.version,
    ...(description !== undefined && { description }),
    license: manifest.license,
    type: 'module',
    sideEffects: manifest.sideEffects ?? true,
    engines: { node: oldestNode },
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      ...Object.fromEntries(folders.map((folder) => [`./${folder}/*`, `./${folder}/*`])),
      './package.json': './package.json',
    },
    dependencies: rangesOf(manifest, dependencies),
    ...(Object.keys(peers).length > 0 && { peerDependencies: rangesOf(manifest, Object.keys(peers)) }),
    ...(peerDependenciesMeta !== undefined && { peerDependenciesMeta }),
    publishConfig: { access: 'public', provenance: true },
  };
}

function rangesOf(manifest: Manifest, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [publicNameOf(name), rangeOf(manifest, name)]));
}

/** Range from the oldest tested version. */
function rangeOf(manifest: Manifest, name: string): string {
  if (name.startsWith(`${workspaceScope}/`)) {
    const neighbour = publishedPackages().find((pkg) => pkg.manifest.name === name);
    if (neighbour === undefined) throw new Error(`${manifest.name} needs ${name}, which is not published`);
    return `^${neighbour.manifest.version}`;
  }
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const named = dependencies?.[name] ?? peerDependencies?.[name] ?? devDependencies?.[name];
  if (named !== 'catalog:') throw new Error(`${manifest.name} imports ${name} and does not name it as catalog:`);
  return `^${catalogVersionOf(name)}`;
}

function catalogVersionOf(name: string): string {
  const workspace = readFileSync(join(repositoryRoot, 'pnpm-workspace.yaml'), 'utf8');
  const lines = workspace.slice(workspace.indexOf('\ncatalog:')).split('\n');
  const line = lines.find((text) => text.trim().replaceAll('"', '').startsWith(`${name}: `));
  const version = line?.slice(line.lastIndexOf(' ') + 1);
  if (version === undefined) throw new Error(`the catalog has no ${name}`);
  return version;
}
