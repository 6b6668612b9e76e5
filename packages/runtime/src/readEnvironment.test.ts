import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  address,
  blockNumber,
  type Codec,
  databaseUrl,
  fileOf,
  flag,
  httpUrl,
  json,
  listOf,
  logLevel,
  matching,
  oneOf,
  port,
  privateKey,
  socketUrl,
  textOf,
  wholeNumber,
} from './codecs.ts';
import { FriendlyError } from './friendlyError.ts';
import { type Environment, optional, readEnvironment, required, withDefault } from './readEnvironment.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'environment-'));
const keyFile = path.join(folder, 'a.key');
const jsonFile = path.join(folder, 'a.json');
const key = `0x${'1a'.repeat(32)}`;

beforeAll(() => {
  writeFileSync(keyFile, `${key}\n`);
  writeFileSync(jsonFile, '{"keys":[]}');
});
afterAll(() => rmSync(folder, { recursive: true }));

function settingFile() {
  const file = path.join(folder, 'setting');
  return { file, write: (text: string) => writeFileSync(file, text) };
}

const checksummed = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

/** Every codec with texts it reads, and texts it refuses. */
const codecs: readonly {
  readonly name: string;
  readonly codec: Codec<unknown>;
  readonly good: readonly (readonly [string, unknown])[];
  readonly bad: readonly string[];
}[] = [
  {
    name: 'port',
    codec: port,
    good: [
      ['0', 0],
      ['65535', 65_535],
    ],
    bad: ['65536', '6000', '10080', '-1', '1.5', '0x10', '1e3', ' 80', 'http', '99999999999999999999'],
  },
  {
    name: 'wholeNumber',
    codec: wholeNumber(5),
    good: [
      ['5', 5],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ],
    bad: ['4', '9007199254740992', 'NaN', 'Infinity', '+5'],
  },
  {
    name: 'blockNumber',
    codec: blockNumber,
    good: [
      ['0', 0n],
      ['18446744073709551615', 18_446_744_073_709_551_615n],
    ],
    bad: ['-1', '1n', '0x1', 'latest', '1'.repeat(21)],
  },
  {
    name: 'flag',
    codec: flag,
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['1', '0', 'yes', 'TRUE', 'on'],
  },
  { name: 'oneOf', codec: oneOf(['a', 'b']), good: [['b', 'b']], bad: ['c', 'A', 'a,b'] },
  { name: 'logLevel', codec: logLevel, good: [['debug', 'debug']], bad: ['loud', 'INFO', '30'] },
  { name: 'textOf', codec: textOf(3), good: [['abc', 'abc']], bad: ['ab'] },
  { name: 'matching', codec: matching(/[a-z]+/, 'lower-case letters'), good: [['abc', 'abc']], bad: ['abc1', 'Abc'] },
  {
    name: 'httpUrl',
    codec: httpUrl,
    good: [
      ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
      ['https://user:pw@rpc.example/v2/k', 'https://user:pw@rpc.example/v2/k'],
    ],
    bad: ['127.0.0.1:8545', 'ws://127.0.0.1:1', 'http://', 'localhost', 'file:///etc/passwd'],
  },
  {
    name: 'socketUrl',
    codec: socketUrl,
    good: [['wss://venue.example/ws', 'wss://venue.example/ws']],
    bad: ['http://venue.example/ws', 'venue.example', 'ws://'],
  },
  {
    name: 'databaseUrl',
    codec: databaseUrl,
    good: [
      ['postgres://127.0.0.1/x', 'postgres://127.0.0.1/x'],
      ['postgresql://u:p@h:5432/x', 'postgresql://u:p@h:5432/x'],
    ],
    bad: ['mysql://127.0.0.1/x', 'postgres', '/var/run/postgresql', 'postgres://u:p/w@h/x'],
  },
  {
    name: 'address',
    codec: address,
    good: [
      [checksummed, checksummed],
      [checksummed.toLowerCase(), checksummed],
    ],
    bad: ['0x1', checksummed.slice(2), `${checksummed}00`, `0x${'g'.repeat(40)}`],
  },
  { name: 'privateKey', codec: privateKey, good: [[key, key]], bad: [key.slice(2), `${key}0`, `0x${'z'.repeat(64)}`] },
  {
    name: 'listOf',
    codec: listOf(address, 1),
    good: [
      [checksummed, [checksummed]],
      [`${checksummed}, ${checksummed},`, [checksummed, checksummed]],
    ],
    bad: [`${checksummed},0x1`, ',', `${checksummed};${checksummed}`],
  },
  {
    name: 'json',
    codec: json,
    good: [['{"a":[1]}', { a: [1] }]],
    bad: ['{', "{'a':1}", 'undefined'],
  },
  {
    name: 'fileOf',
    codec: fileOf(privateKey),
    good: [[keyFile, key]],
    bad: [jsonFile, path.join(folder, 'none'), folder],
  },
];

const read = (codec: Codec<unknown>, value: string | undefined): unknown =>
  readEnvironment(
    { program: 'sample', settings: { SETTING: required(codec) }, ownPrefixes: [] },
    { SETTING: value, PATH: '/bin', HOME: '/home' },
  ).SETTING;

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof FriendlyError) return error.message;
    throw error;
  }
  return '';
}

describe.each(codecs)('the codec $name', ({ codec, good, bad }) => {
  test.each(good)('reads %j', (text, value) => {
    expect(read(codec, text)).toEqual(value);
  });

  test.each(bad)('refuses %j in one line that says what to do and shows no value', (text) => {
    const message = messageOf(() => read(codec, text));
    expect(message).toBe(`The environment of sample is not usable: SETTING must be ${codec.expects}`);
    expect(message).not.toContain('\n');
  });
});

const definition = {
  program: 'sample',
  settings: {
    SAMPLE_PORT: withDefault(port, 8_080),
    SAMPLE_MODE: withDefault(oneOf(['slow', 'fast']), 'slow'),
    SAMPLE_KEYS: optional(fileOf(json)),
    RPC_URL: required(httpUrl),
  },
  ownPrefixes: ['SAMPLE_'],
  elsewhere: ['SAMPLE_URL'],
} as const;

const good: Environment = { RPC_URL: 'http://127.0.0.1:1' };

describe('an environment', () => {
  test('has defaults, typed values and undefined for what is optional; an empty variable counts as absent', () => {
    const values = readEnvironment(definition, { ...good, SAMPLE_PORT: '', SAMPLE_KEYS: jsonFile });
    const mode: 'slow' | 'fast' = values.SAMPLE_MODE;
    const number: number = values.SAMPLE_PORT;
    expect([mode, number, values.SAMPLE_KEYS]).toEqual(['slow', 8_080, { keys: [] }]);
    expect(readEnvironment(definition, good).SAMPLE_KEYS).toBeUndefined();
  });

  test.each([
    ['SAMPLE_PROT', 'SAMPLE_PROT is no setting of sample: did you mean SAMPLE_PORT?'],
    ['SAMPLE_MODES', 'SAMPLE_MODES is no setting of sample: did you mean SAMPLE_MODE?'],
    [
      'SAMPLE_SOMETHING_ELSE',
      'SAMPLE_SOMETHING_ELSE is no setting of sample, which knows SAMPLE_PORT, SAMPLE_MODE, SAMPLE_KEYS: ' +
        'remove it or correct its name',
    ],
  ])('the unknown setting %s is one line', (name, line) => {
    expect(messageOf(() => readEnvironment(definition, { ...good, [name]: '1' }))).toBe(
      `The environment of sample is not usable: ${line}`,
    );
  });

  test('the value of a setting may be in a file, in place of the variable alone', () => {
    const { file, write } = settingFile();
    write('4000\n');
    expect(readEnvironment(definition, { ...good, SAMPLE_PORT_FILE: file }).SAMPLE_PORT).toBe(4_000);
    expect(readEnvironment(definition, { ...good, SAMPLE_URL_FILE: 'x' }).SAMPLE_PORT).toBe(8_080);
    const messageWith = (variables: Environment) =>
      messageOf(() => readEnvironment(definition, { ...good, ...variables }));
    expect(messageWith({ SAMPLE_PORT_FILE: file, SAMPLE_PORT: '4000' })).toMatch(
      /SAMPLE_PORT and SAMPLE_PORT_FILE are both set$/,
    );
    write('secret-text');
    const message = messageWith({ SAMPLE_PORT_FILE: file });
    expect(message).toMatch(/SAMPLE_PORT_FILE must be the path of a readable file that holds a whole number/);
    expect(message).not.toContain('secret-text');
    expect(messageWith({ RPC_URL: '', RPC_URL_FILE: '/none' })).toMatch(
      /RPC_URL_FILE must be the path of a readable file/,
    );
    expect(messageWith({ SAMPLE_PROT_FILE: file })).toMatch(/SAMPLE_PROT_FILE is no setting of sample/);
  });

  test('variables of other programs are ignored', () => {
    const others = { ...good, SAMPLE_URL: 'x', PATH: '/bin', OTHER_PORT: 'high', RPC_URLS: 'x' };
    expect(() => readEnvironment(definition, others)).not.toThrow();
  });

  test('each faulty variable has a line of its own', () => {
    const message = messageOf(() =>
      readEnvironment(definition, { SAMPLE_PORT: 'high', SAMPLE_KEYS: '/none', SAMPLE_MOD: 'fast' }),
    );
    expect(message.split('\n')).toEqual([
      'The environment of sample is not usable:',
      '  SAMPLE_MOD is no setting of sample: did you mean SAMPLE_MODE?',
      '  SAMPLE_PORT must be a whole number from 0 to 65535 that fetch does not refuse (6000, 6665 to 6669 and others are refused)',
      '  SAMPLE_KEYS must be the path of a readable file that holds JSON',
      '  RPC_URL is missing: set it to an address like http://127.0.0.1:8545',
    ]);
  });

  test('no message shows a value', () => {
    const secret = fc.stringMatching(/^[a-z]{12,20}$/);
    fc.assert(
      fc.property(secret, fc.constantFrom('SAMPLE_PORT', 'SAMPLE_MODE', 'SAMPLE_KEYS', 'RPC_URL'), (value, name) => {
        const message = messageOf(() => readEnvironment(definition, { ...good, [name]: value }));
        expect(message).toContain(name);
        expect(message).not.toContain(value);
      }),
    );
  });
});
