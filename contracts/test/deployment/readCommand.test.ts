import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Address } from 'viem';
import type { LocalChain, LocalDeployment } from '../../local/index.ts';
import { type LocalReadBack, startLocalReadBack } from '../../testing/localReadBack.ts';

let chain: LocalChain;
let local: LocalDeployment;
let expected: LocalReadBack['expected'];
let creation: LocalReadBack['creation'];

before(async () => {
  ({ chain, local, expected, creation } = await startLocalReadBack());
});

after(() => chain.close());

describe('the read-back command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-deployment-'));
  after(() => rmSync(folder, { recursive: true }));
  const script = fileURLToPath(new URL('../../tools/deployment/read-back/main.ts', import.meta.url));
  /** In a process of its own while this one serves the chain. */
  const run = (...args: readonly string[]) =>
    new Promise<{ readonly status: number; readonly stdout: string }>((done) => {
      const child = execFile(process.execPath, [script, ...args], { timeout: 120_000 }, (_, stdout, stderr) =>
        done({ status: child.exitCode ?? -1, stdout: stdout + stderr }),
      );
    });

  function writeParameters(deployment: object): string {
    const file = join(folder, 'parameters.json');
    const facts = { chainId: local.chainId, venueDomain: local.venueDomain };
    const text = JSON.stringify({ Vault: { deployment }, ReadBack: facts }, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    writeFileSync(file, text);
    return file;
  }

  const writeAddresses = (addresses: Readonly<Record<string, Address>>) =>
    writeFileSync(join(folder, 'deployed_addresses.json'), JSON.stringify(addresses));

  it('exits 0 when all is the same and 1 with the differing row, and says whom it read', async () => {
    const { vault, pairFiller } = local.contracts;
    const where = [
      '--rpc',
      chain.rpcUrl,
      '--vault',
      vault,
      '--tx',
      String(creation.vault),
      '--pair-filler',
      pairFiller,
    ];
    const good = await run(...where, '--parameters', writeParameters(expected.deployment));
    assert.equal(good.status, 0, good.stdout);
    assert.match(
      good.stdout,
      new RegExp(`^vault {6}${vault}\nfiller {5}${pairFiller}\nsame [^]* facts, 0 different\n$`),
    );

    const guardian = local.roles.bob.address;
    const bad = await run(...where, '--parameters', writeParameters({ ...expected.deployment, guardian }));
    assert.equal(bad.status, 1);
    assert.match(bad.stdout, new RegExp(`DIFFERENT {2}guardian: .*, expected ${guardian}`));
    assert.match(bad.stdout, /DIFFERENT {2}vault constructor arguments: /);
  });

  it('exits 2 and says what is wrong when asked wrongly', async () => {
    const { vault, pool } = local.contracts;
    const { vault: hash } = creation;
    const parameters = writeParameters(expected.deployment);
    const asked = ['--rpc', chain.rpcUrl, '--parameters', parameters];
    const plain = [...asked, '--vault', vault, '--tx', String(hash)];
    const wrong = async (args: readonly string[], said: RegExp) => {
      const { status, stdout } = await run(...args);
      assert.equal(status, 2, stdout);
      assert.match(stdout, said);
    };
    writeAddresses({ 'Vault#OrderRules': pool, 'Vault#Vault': vault });
    await wrong(['--rpc', chain.rpcUrl], /--parameters is missing/);
    await wrong(asked, /--vault is missing/);
    await wrong([...asked, '--vault', vault], /Pass its hash with --tx/);
    await wrong([...asked, '--deployment', folder], /Pass its hash with --tx/);
    await wrong([...asked, '--vault', vault, '--tx', vault], /is no hash of a transaction/);
    await wrong([...plain, '--deployment', folder], /either --deployment or --vault/);
    await wrong([...plain, '--timelock', vault], /describe no timelock/);
    await wrong([...plain, '--block-range', '0'], /--block-range is 0/);
    await wrong([...plain, '--pair-filler', 'none'], /none is no address/);
    writeAddresses({ 'Vault#Vault': vault, 'LocalVault#Vault': pool });
    await wrong([...asked, '--deployment', folder], /more than one Vault: Vault#Vault .*, LocalVault#Vault /);
  });
});
