import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../tidy/workspace.ts';

/** Scope of the workspace, which no registry is ever asked for: dependencies on a room say `workspace:`. */
export const workspaceScope = '@core';

/** Scope of what is published: the name of the project, held by its publisher before anything is published. */
export const publicScope = '@leveraged-prediction-markets';

/** What the build reads of a room's `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license: string;
  readonly sideEffects?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A room that is published. */
export interface PublishedRoom {
  /** `pricing` of `packages/pricing`. */
  readonly shortName: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The rooms that are published, by name: those that build a package before they are packed. */
export function publishedRooms(): readonly PublishedRoom[] {
  const packages = join(repositoryRoot, 'packages');
  return readdirSync(packages)
    .map((shortName) => {
      const folder = join(packages, shortName);
      return { shortName, folder, manifest: readManifest(folder) };
    })
    .filter(({ manifest }) => manifest.scripts?.['prepack'] !== undefined)
    .toSorted((left, right) => left.shortName.localeCompare(right.shortName));
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** `@leveraged-prediction-markets/pricing` of `@core/pricing`; any other name as it is. */
export function publicNameOf(name: string): string {
  return name.startsWith(`${workspaceScope}/`) ? publicScope + name.slice(workspaceScope.length) : name;
}
