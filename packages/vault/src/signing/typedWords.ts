import type { Address, Hex } from 'viem';
import { hexOf, PackedBytes } from './packedBytes.ts';
import { plainKeccak256 } from './plainKeccak256.ts';
import type { Signer } from './signer.ts';

interface Domain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
}

type WordType = 'address' | 'bytes32' | `uint${8 | 16 | 32 | 64 | 256}`;

/** Member of one word, or a list of structs whose members are one word each; no text and no dynamic bytes. */
interface Member {
  readonly name: string;
  readonly type: WordType | `${string}[]`;
}

type Word = Hex | bigint | number;
type Row = Readonly<Record<string, Word>>;
type Members<Message> = { readonly [Name in keyof Message]: Word | readonly Row[] };
type Types = Readonly<Record<string, readonly Member[]>>;

/** Typed data for wallets, of a struct whose members are one word each, or lists of such structs. */
export interface TypedWords<Name extends string, Message extends Members<Message>> {
  readonly domain: Domain;
  readonly types: Types & Readonly<Record<NoInfer<Name>, readonly (Member & { readonly name: keyof Message })[]>>;
  readonly primaryType: Name;
  readonly message: Message;
}

/** A struct of `types`, with its values. */
interface Struct<Message extends Members<Message>> {
  readonly name: string;
  readonly members: readonly (Member & { readonly name: keyof Message })[];
  readonly message: Message;
}

const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const wordByteLength = 32;

/**
 * Return the EIP-712 hash of a struct. It needs three rounds of keccak-256 over packed words, and one for each element
 * of a list; a general encoder needs thirty and formats each word as text. Several hashes are computed before every
 * order.
 *
 * @throws RangeError when a value does not fit its type.
 */
export function hashTypedWords<Name extends string, Message extends Members<Message>>(
  typedData: TypedWords<Name, Message>,
): Hex {
  return hexOf(plainKeccak256(typedWordsMessage(typedData)));
}

/**
 * Sign a struct: 65 bytes, low s, v 27 or 28, with the EIP-712 hash that they sign.
 *
 * @throws RangeError when a value does not fit its type.
 */
export async function signTypedWords<Name extends string, Message extends Members<Message>>(
  key: Signer,
  typedData: TypedWords<Name, Message>,
): Promise<{ readonly hash: Hex; readonly signature: Hex }> {
  const message = typedWordsMessage(typedData);
  return { hash: hexOf(plainKeccak256(message)), signature: await key.signMessage(message) };
}

/**
 * Return the 66 bytes whose hash is signed: the prefix of EIP-712, the hash of the domain and that of the struct.
 *
 * @throws RangeError when a value does not fit its type.
 */
function typedWordsMessage<Name extends string, Message extends Members<Message>>(
  typedData: TypedWords<Name, Message>,
): Uint8Array {
  const packed = new Uint8Array(2 + 2 * wordByteLength);
  packed.set([0x19, 0x01]);
  packed.set(separatorOf(typedData.domain), 2);
  const { types, primaryType: name, message } = typedData;
  packed.set(structHashOf(types, { name, members: types[name], message }), 2 + wordByteLength);
  return packed;
}

function structHashOf<Message extends Members<Message>>(types: Types, struct: Struct<Message>): Uint8Array {
  const { members, message } = struct;
  const packed = new PackedBytes((1 + members.length) * wordByteLength).zeros(wordByteLength);
  for (const { name, type } of members) {
    const value: Word | readonly Row[] = message[name];
    if (isWordType(type)) pushWord(packed, type, value);
    else packed.hex(hexOf(listHashOf(types, type.slice(0, -'[]'.length), value)), wordByteLength);
  }
  packed.bytes.set(typeHashOf(types, struct));
  return plainKeccak256(packed.finish());
}

const isWordType = (type: Member['type']): type is WordType => !type.endsWith('[]');

function listHashOf(types: Types, name: string, rows: Word | readonly Row[]): Uint8Array {
  const members = types[name];
  if (typeof rows !== 'object' || members === undefined) throw new RangeError(`value does not fit ${name}[]`);
  const hashes = new Uint8Array(rows.length * wordByteLength);
  for (const [index, message] of rows.entries()) {
    hashes.set(structHashOf(types, { name, members, message }), index * wordByteLength);
  }
  return plainKeccak256(hashes);
}

function pushWord(packed: PackedBytes, type: WordType, value: Word | readonly Row[] | undefined): void {
  if (typeof value !== 'object' && value !== undefined) {
    if (type !== 'address' && type !== 'bytes32') {
      const number = BigInt(value);
      if (number >> BigInt(type.slice('uint'.length)) !== 0n) throw new RangeError(`value does not fit ${type}`);
      packed.uint256(number);
      return;
    }
    if (typeof value === 'string') {
      if (type === 'address') packed.zeros(12).hex(value, 20);
      else packed.hex(value, wordByteLength);
      return;
    }
  }
  throw new RangeError(`value does not fit ${type}`);
}

const typeHashes = /* @__PURE__ */ new WeakMap<readonly Member[], Uint8Array>();

/** Return the type hash, cached for the lifetime of the struct's description, which is a constant. */
function typeHashOf(types: Types, { name, members }: { readonly name: string; readonly members: readonly Member[] }) {
  const cachedHash = typeHashes.get(members);
  if (cachedHash !== undefined) return cachedHash;
  const listed = members.filter(({ type }) => !isWordType(type)).map(({ type }) => type.slice(0, -'[]'.length));
  const hash = hashOfText([name, ...listed.toSorted()].map((each) => typeTextOf(each, types[each] ?? [])).join(''));
  typeHashes.set(members, hash);
  return hash;
}

const typeTextOf = (name: string, members: readonly Member[]): string =>
  `${name}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`;

/** Cache of the last separator: a program signs for one vault and one exchange, many times in a row. */
let lastSeparator: { readonly domain: Domain; readonly hash: Uint8Array } | null = null;

function separatorOf(domain: Domain): Uint8Array {
  if (lastSeparator !== null && isSame(lastSeparator.domain, domain)) return lastSeparator.hash;
  const texts = [domainType, domain.name, domain.version];
  const packed = new PackedBytes((texts.length + 2) * wordByteLength)
    .zeros(texts.length * wordByteLength)
    .uint256(BigInt(domain.chainId))
    .zeros(12)
    .hex(domain.verifyingContract, 20);
  for (const [index, text] of texts.entries()) packed.bytes.set(hashOfText(text), index * wordByteLength);
  const hash = plainKeccak256(packed.finish());
  lastSeparator = { domain: { ...domain }, hash };
  return hash;
}

const isSame = (left: Domain, right: Domain): boolean =>
  left.verifyingContract === right.verifyingContract &&
  left.chainId === right.chainId &&
  left.name === right.name &&
  left.version === right.version;

const hashOfText = (text: string): Uint8Array => plainKeccak256(new TextEncoder().encode(text));
