import { describe, expect, it } from 'vitest';
import { looseLockfile, supplyChainRisks } from './supplyChain.ts';
import { readLockfile, readRepository } from './workspace.ts';

const whatIn = (path: string, text: string): readonly string[] =>
  supplyChainRisks([{ path, text }]).map(({ what }) => what);

describe('F28: secrets and supply chain', () => {
  it('finds a version range in a manifest and in the catalogue', () => {
    const manifest = JSON.stringify({ dependencies: { pg: '^8.0.0', ws: 'catalog:', '@core/wire': 'workspace:*' } });
    expect(whatIn('apps/x/package.json', manifest)).toHaveLength(1);
    expect(whatIn('pnpm-workspace.yaml', 'packages:\n\ncatalog:\n  a: ^1.0.0\n  "@b/c": 2.0.0-next.1\n')).toHaveLength(
      1,
    );
  });

  it('finds install scripts that are not listed', () => {
    const text = 'dangerouslyAllowAllBuilds: true\n\ncatalog:\n  a: 1.0.0\n';
    expect(whatIn('pnpm-workspace.yaml', text)).toEqual(['every install script may run']);
  });

  it('finds a package without a hash or from outside a registry', () => {
    const integrity = `sha512-${'a'.repeat(86)}==`;
    const lockfile = (resolution: string) => ({ path: 'lock', text: `  a@1.0.0:\n    resolution: ${resolution}\n` });
    expect(looseLockfile(lockfile(`{integrity: ${integrity}}`))).toEqual([]);
    expect(looseLockfile(lockfile('{integrity: sha1-abc}'))).toHaveLength(1);
    expect(looseLockfile(lockfile('{tarball: https://example.com/a.tgz}'))).toHaveLength(1);
    expect(looseLockfile(lockfile(`{integrity: ${integrity}, tarball: https://example.com/a.tgz}`))).toHaveLength(1);
  });

  it.each([
    ['-----BEGIN EC', 'PRIVATE KEY-----'].join(' '),
    `sbx_skey_${'aB3dE6gH9'.repeat(4)}`,
    `AKIA${'Z9'.repeat(8)}`,
    `ghp_${'a1'.repeat(18)}`,
  ])('a secret is found: %s', (text) => {
    expect(whatIn('docs/x.md', text)).toEqual(['this looks like a secret']);
  });

  it('accepts a visibly invented key', () => {
    expect(whatIn('docs/x.md', `sbx_skey_${'b'.repeat(40)}`)).toEqual([]);
  });

  it('finds none in the repository', () => {
    expect([...supplyChainRisks(readRepository()), ...looseLockfile(readLockfile())]).toEqual([]);
  });
});
