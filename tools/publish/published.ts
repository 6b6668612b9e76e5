import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../tidy/workspace.ts';

/** Scope of the workspace. No registry is asked for it: these dependencies are always `workspace:`. */
export const workspaceScope = '@core';

/**
 * Scope of published packages, which the publisher registers before the first release.
 * Decision: tools/DECISIONS.md#published-packages-have-the-scope-of-the-project
 */
export const publicScope = '@leveraged-prediction-markets';

/** Fields of a workspace `package.json` that the build reads. */
const texts = z.record(z.string(), z.string());
const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  description: z.string().exactOptional(),
  license: z.string(),
  sideEffects: z.boolean().exactOptional(),
  scripts: texts.exactOptional(),
  dependencies: texts.exactOptional(),
  devDependencies: texts.exactOptional(),
  peerDependencies: texts.exactOptional(),
  peerDependenciesMeta: z.record(z.string(), z.looseObject({ optional: z.boolean().exactOptional() })).exactOptional(),
});
export type Manifest = z.output<typeof manifestSchema>;

/** A published package. */
export interface PublishedPackage {
  /** `pricing` of `packages/pricing`. */
  readonly shortName: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Return the published packages by name: those with a `prepack` script. */
export function publishedPackages(): readonly PublishedPackage[] {
  const packages = join(repositoryRoot, 'packages');
  return readdirSync(packages)
    .map((shortName) => {
      const folder = join(packages, shortName);
      return { shortName, folder, manifest: readManifest(folder) };
    })
    .filter(({ manifest }) => manifest.scripts?.['prepack'] !== undefined)
    .toSorted((left, right) => left.shortName.localeCompare(right.shortName));
}

/** Return the manifest of a package, or of the workspace. */
export function readManifest(folder: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

/** Return `@leveraged-prediction-markets/pricing` for `@core/pricing`, and any other name unchanged. */
export function publicNameOf(name: string): string {
  return name.startsWith(`${workspaceScope}/`) ? publicScope + name.slice(workspaceScope.length) : name;
}
