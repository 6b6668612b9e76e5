import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@core/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'programs-'));
const names = ['api', 'filler', 'keeper', 'operate', 'price-signer'];
const maxBytes = 150_000_000;

let database: TestDatabase;
let built: readonly { readonly program: string; readonly bytes: number }[];

beforeAll(async () => {
  database = await createTestDatabase();
  const output = execFileSync(process.execPath, [path.join(root, 'tools/images/buildPrograms.ts'), folder]);
  built = output
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** Run a built program with no settings but these, outside of the repository. */
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const entry = path.join(folder, program, 'bin/program/main.mjs');
  return spawnSync(process.execPath, [entry, ...args], { cwd: folder, env, encoding: 'utf8' });
}

test('every program is built below the limit of its size, without other packages than native and served ones', () => {
  expect(built.map(({ program }) => program).toSorted()).toEqual(names);
  for (const { program, bytes } of built) {
    expect(bytes).toBeLessThan(maxBytes);
    const packages = readdirSync(path.join(folder, program, 'node_modules'));
    expect(packages.filter((name) => !['node-gyp-build', 'secp256k1', '@scalar'].includes(name))).toEqual([]);
  }
});

test.each(['api', 'filler', 'keeper', 'price-signer'])('%s starts alone and names its missing settings', (program) => {
  const { status, stderr } = run(program, []);
  expect(stderr).toMatch(
    new RegExp(`^${program}: The environment of ${program} is not usable:[\\s\\S]+RPC_URL is missing`),
  );
  expect(status).toBe(1);
});

test('operate works on the database: migrations, partners and keys', () => {
  const env = { DATABASE_URL: database.databaseUrl };
  expect(run('operate', ['database', 'migrate'], env).stdout).toBe('{"applied":[]}\n');
  expect(JSON.parse(run('operate', ['partners', 'create', 'acme'], env).stdout)).toMatchObject({ name: 'acme' });
  expect(JSON.parse(run('operate', ['keys', 'issue', 'acme'], env).stdout)).toHaveProperty('api_key');
});

test('the native library signs in a built program', () => {
  const file = path.join(folder, 'keeper.key');
  const printed = JSON.parse(run('operate', ['role-keys', 'create', file]).stdout) as { address: string };
  const program = path.join(folder, 'keeper', 'bin/program/x.mjs');
  const script = `
    const { createRequire } = await import('node:module');
    const native = createRequire(${JSON.stringify(program)})('secp256k1/bindings');
    const key = Buffer.from(${JSON.stringify(readFileSync(file, 'utf8').trim().slice(2))}, 'hex');
    console.log(native.publicKeyCreate(key, false).length);`;
  expect(printed.address).toMatch(/^0x/);
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString()).toBe('65\n');
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined;

test.runIf(hasSystemd)('ops/systemd: systemd-analyze accepts every unit', () => {
  const units = path.join(folder, 'units');
  cpSync(path.join(root, 'ops/systemd'), units, { recursive: true });
  const files = readdirSync(units).map((file) => path.join(units, file));
  for (const file of files) {
    // The check wants the program to exist, and Node.js is elsewhere here.
    writeFileSync(file, readFileSync(file, 'utf8').replace('/usr/bin/node', process.execPath));
  }
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;

test.runIf(hasCompose)('ops/compose.yaml: docker compose accepts it', () => {
  const args = ['compose', '--file', path.join(root, 'ops/compose.yaml'), 'config', '--no-env-resolution', '--quiet'];
  expect(spawnSync('docker', args, { encoding: 'utf8' }).stderr).toBe('');
});

test('ops: images run as no root, units and containers hold no key in their environment', () => {
  const dockerfile = readFileSync(path.join(root, 'ops/Dockerfile'), 'utf8');
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile.match(/^FROM node:24-\S+/gm)).toHaveLength(2);
  const compose = readFileSync(path.join(root, 'ops/compose.yaml'), 'utf8');
  for (const setting of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true']) {
    expect(compose).toContain(setting);
  }
  const units = readdirSync(path.join(root, 'ops/systemd')).map((file) =>
    readFileSync(path.join(root, 'ops/systemd', file), 'utf8'),
  );
  for (const unit of units) expect(unit).toMatch(/^LoadCredential=\S+\.key:/m);
  for (const text of [compose, ...units]) expect(text).not.toMatch(/(?:PRIVATE_KEY|_KEY)=|0x[0-9a-f]{64}/);
  expect(existsSync(path.join(root, 'ops/Dockerfile.dockerignore'))).toBe(true);
});

test('ops: the database and every secret are in files, of the programs alone that need them', () => {
  const compose = readFileSync(path.join(root, 'ops/compose.yaml'), 'utf8');
  const services = compose.slice(0, compose.indexOf('\nsecrets:')).split(/^ {2}(?=[a-z-]+\d?:$)/m);
  const filesOf = (name: string): readonly string[] => {
    const service = services.find((each) => each.startsWith(`${name}:`)) ?? '';
    return (/secrets: \[(.*)\]/.exec(service)?.[1] ?? '').split(', ').toSorted();
  };
  expect(filesOf('filler')).toEqual(['filler.key']);
  for (const number of ['1', '2', '3']) {
    const name = `price-signer-${number}`;
    expect(filesOf(name)).toEqual([`${name}.key`, `${name}.secret`]);
  }
  for (const name of ['keeper-1', 'keeper-2']) {
    expect(filesOf(name)).toEqual(['database.url', `${name}.key`, 'price-signers.secrets']);
  }
  expect(filesOf('api')).toEqual(['database.url', 'quote-signer.key', 'token-keys.json']);
  const unitOf = (name: string) => readFileSync(path.join(root, `ops/systemd/lev-${name}.service`), 'utf8');
  for (const name of ['filler', 'price-signer@']) expect(unitOf(name)).not.toContain('DATABASE');
  for (const name of ['api', 'keeper']) expect(unitOf(name)).toContain('DATABASE_URL_FILE=%d/database.url');
  const texts = [compose, ...['api', 'keeper', 'filler', 'price-signer@'].map(unitOf)];
  for (const text of texts) expect(text).not.toMatch(/(?:DATABASE_URL|_SECRETS?)[:=]/);
});

test('ops: filler and metrics of a container are reached, and a new volume belongs to its user', () => {
  const compose = readFileSync(path.join(root, 'ops/compose.yaml'), 'utf8');
  const filler = compose.slice(compose.indexOf('\n  filler:'), compose.indexOf('\n  api:'));
  expect(filler).toContain('LISTEN_HOST: 0.0.0.0');
  const [, journal = ''] = /FILLER_JOURNAL: (\/\w+)\//.exec(filler) ?? [];
  expect(filler).toContain(`volumes: ["journal:${journal}"]`);
  const dockerfile = readFileSync(path.join(root, 'ops/Dockerfile'), 'utf8');
  expect(dockerfile).toMatch(new RegExp(`^RUN install --directory --owner=node .*${journal}$`, 'm'));
  expect(dockerfile.indexOf(`${journal}\n`)).toBeLessThan(dockerfile.indexOf('USER node'));
  const [, gateway = ''] = /gateway: ([\d.]+)/.exec(compose) ?? [];
  expect(compose).toContain(`TRUST_PROXY: ${gateway}`);
});
