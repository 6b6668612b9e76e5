import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';

/** A call, event or error as the compiler's ABI names it. */
interface AbiItem {
  readonly type: 'function' | 'event' | 'error';
  readonly name: string;
  readonly stateMutability?: string;
  readonly inputs: readonly { readonly name: string }[];
  readonly outputs?: readonly { readonly name: string }[];
}

interface UserDoc {
  readonly notice?: string;
}

interface DevDoc {
  readonly details?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly returns?: Readonly<Record<string, string>>;
}

/** Documented items, by signature; the compiler lists an error as an array of one. */
interface Documented<Doc> {
  readonly methods: Readonly<Record<string, Doc>>;
  readonly events?: Readonly<Record<string, Doc>>;
  readonly errors?: Readonly<Record<string, readonly Doc[]>>;
}

interface CompiledInterface {
  readonly abi: readonly AbiItem[];
  readonly userdoc: Documented<UserDoc>;
  readonly devdoc: Documented<DevDoc>;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledInterface>>>>;
}

const solc: { compile(input: string): string } = createRequire(import.meta.url)('solc');
const folder = new URL('../../src/interfaces/', import.meta.url);
const sources = new Map(
  readdirSync(folder).map((file): [string, string] => [file, readFileSync(new URL(file, folder), 'utf8')]),
);

/** The interfaces alone: the build that ships keeps no documentation. */
function compileInterfaces(): CompilerOutput {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries([...sources].map(([file, content]) => [file, { content }])),
    settings: { outputSelection: { '*': { '*': ['abi', 'userdoc', 'devdoc'] } } },
  };
  return JSON.parse(solc.compile(JSON.stringify(input)));
}

const output = compileInterfaces();

/** The compiled interface of that name. */
function interfaceOf(name: string): CompiledInterface {
  const found = output.contracts[`${name}.sol`]?.[name];
  assert.ok(found, `${name}.sol holds no ${name}`);
  return found;
}

/** Return the documentation of an item; no interface gives a name to two items of one type. */
function docOf<Doc>(documented: Documented<Doc>, { type, name }: AbiItem): Doc | undefined {
  const docs = documented[({ function: 'methods', event: 'events', error: 'errors' } as const)[type]] ?? {};
  return Object.entries(docs)
    .filter(([signature]) => signature.startsWith(`${name}(`))
    .flatMap(([, doc]) => doc)[0];
}

/** Every struct field and enum member of a source as `Type.member`, and whether the line before says what it is. */
function membersOf(source: string): readonly { readonly name: string; readonly isDescribed: boolean }[] {
  return [...source.matchAll(/^ {4}(?:struct|enum) (\w+) \{\n(.*?)^ {4}\}/gms)].flatMap(([, type, body = '']) => {
    const lines = body.trimEnd().split('\n');
    return lines.flatMap((line, index) => {
      const member = /(\w+)[;,]?$/.exec(line)?.[1];
      if (line.trimStart().startsWith('///')) return [];
      return [{ name: `${type}.${member}`, isDescribed: /^ +\/\/\/ \S/.test(lines[index - 1] ?? '') }];
    });
  });
}

describe('every interface', () => {
  it('compiles alone without a warning', () => assert.deepEqual(output.errors ?? [], []));

  for (const [file, source] of sources) {
    const name = file.slice(0, -'.sol'.length);

    describe(name, () => {
      const { abi, userdoc, devdoc } = interfaceOf(name);

      for (const item of abi) {
        it(`says of ${item.type} ${item.name} what it is, and what each of its values is`, () => {
          assert.ok(docOf(userdoc, item)?.notice, 'notice');
          const { params = {}, returns = {} } = docOf(devdoc, item) ?? {};
          for (const input of item.inputs) assert.ok(input.name && params[input.name], `@param ${input.name}`);
          for (const value of item.outputs ?? []) assert.ok(value.name && returns[value.name], `@return ${value.name}`);
        });
      }

      for (const member of membersOf(source)) {
        it(`says what ${member.name} is`, () => assert.ok(member.isDescribed));
      }
    });
  }
});

describe('the errors of the interfaces', () => {
  const own = ['IVault', 'ILiquidityPool', 'IPositionAccount', 'IPairFiller'].map(interfaceOf);
  const declared = new Set(
    own.flatMap(({ abi }) => abi.filter(({ type }) => type === 'error').map(({ name }) => name)),
  );
  const calls = own.flatMap(({ abi, devdoc }) =>
    abi
      .filter((item) => item.type === 'function' && item.stateMutability === 'nonpayable')
      .map((item) => ({ name: item.name, reverts: docOf(devdoc, item)?.details?.split('Reverts: ')[1] })),
  );
  const said = new Set(calls.flatMap(({ reverts = '' }) => reverts.match(/\b[A-Z]\w*[a-z][A-Z]\w*/g) ?? []));
  /** Declared by OpenZeppelin. */
  const foreign = [
    'ERC20InsufficientAllowance',
    'ERC20InsufficientBalance',
    'ERC4626ExceededMaxRedeem',
    'OwnableUnauthorizedAccount',
  ];
  /** Met by who deploys a vault, sends a token or calls a callback: no call of the interfaces reverts with it. */
  const outsideCalls = [
    'CollateralDecimals',
    'CollateralNotRedeemed',
    'LedgerMismatch',
    'NotInsideFill',
    'TokensNotFromExchange',
    'TokensNotFromSplit',
    'VenueWithoutCode',
  ];

  for (const { name, reverts } of calls) {
    it(`are said of ${name}`, () => assert.ok(reverts));
  }

  it('are each said of a call, and no call names another', () => {
    assert.deepEqual([...said, ...outsideCalls].sort(), [...declared, ...foreign].sort());
  });
});
