import { lineAt, type Offence, type SourceFile } from './workspace.ts';

const exactVersion = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
const kindsOfDependencies = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** Dependencies that come neither from the catalogue nor from this repository. */
function unpinnedDependencies(files: readonly SourceFile[]): Offence[] {
  const manifests = files.filter(({ path }) => /(^|\/)package\.json$/.test(path));
  return manifests.flatMap(({ path, text }) => {
    const manifest: Partial<Record<(typeof kindsOfDependencies)[number], Record<string, string>>> = JSON.parse(text);
    return kindsOfDependencies.flatMap((kind) =>
      Object.entries(manifest[kind] ?? {})
        .filter(([, version]) => !/^(catalog:|workspace:\*)$/.test(version) && kind !== 'peerDependencies')
        .map(([name, version]) => ({ where: path, what: `${name} is ${version}; it belongs into the catalogue` })),
    );
  });
}

/** Version ranges in the catalogue, and install scripts that are not listed. */
function looseWorkspace(files: readonly SourceFile[]): Offence[] {
  return files
    .filter(({ path }) => path === 'pnpm-workspace.yaml')
    .flatMap(({ path, text }) => {
      const catalogue = text.slice(text.indexOf('\ncatalog:\n'));
      const ranges = [...catalogue.matchAll(/^ {2}"?([^":\n]+)"?: *(\S+)$/gm)]
        .filter(([, , version = '']) => !exactVersion.test(version))
        .map(([, name, version]) => ({ where: path, what: `${name} is ${version}, which is no single version` }));
      const allowsAll = /dangerouslyAllowAllBuilds|strictDepBuilds: *false/.test(text);
      return allowsAll ? [...ranges, { where: path, what: 'every install script may run' }] : ranges;
    });
}

/** Packages of the lockfile from outside a registry or without a hash. */
export function looseLockfile({ path, text }: SourceFile): Offence[] {
  return [...text.matchAll(/^ *resolution: *(.*)$/gm)]
    .filter(([, resolution = '']) => !/^\{integrity: sha512-[\w+/]+=*\}$/.test(resolution))
    .map((match) => ({ where: `${path}:${lineAt(text, match.index)}`, what: `${match[1]} is not held by its hash` }));
}

/** Patterns of secrets of common services, and of our API keys. Keys of tests are visibly invented. */
const secrets = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
  /\b(?:live|sbx)_skey_(?=[A-Za-z0-9_-]{24})(?!(.)\1{10})[A-Za-z0-9_-]+/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bsk-[A-Za-z0-9-]{32,}\b/g,
];

function secretsIn(files: readonly SourceFile[]): Offence[] {
  return files.flatMap(({ path, text }) =>
    secrets.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(({ index }) => ({
        where: `${path}:${lineAt(text, index)}`,
        what: 'this looks like a secret',
      })),
    ),
  );
}

/** Return dependencies that could run foreign code, and secrets in the repository. */
export function supplyChainRisks(files: readonly SourceFile[]): Offence[] {
  return [...unpinnedDependencies(files), ...looseWorkspace(files), ...secretsIn(files)];
}
