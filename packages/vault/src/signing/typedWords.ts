import type { Address, Hex } from 'viem';
import { hexOf, PackedBytes } from './packedBytes.ts';
import { plainKeccak256 } from './plainKeccak256.ts';

interface Domain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
}

/** Members that fill one word each: no text, no bytes of any length, no list, no struct of its own. */
interface Member {
  readonly name: string;
  readonly type: 'address' | 'bytes32' | `uint${8 | 16 | 32 | 64 | 256}`;
}

type Words<Message> = { readonly [Name in keyof Message]: Hex | bigint | number };

/** Typed data as wallets take it, of a struct whose members fill one word each. */
export interface TypedWords<Name extends string, Message extends Words<Message>> {
  readonly domain: Domain;
  readonly types: Readonly<Record<Name, readonly (Member & { readonly name: keyof Message })[]>>;
  readonly primaryType: Name;
  readonly message: Message;
}

const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const wordByteLength = 32;

/**
 * EIP-712 hash. Three rounds of keccak-256 over packed words, where a general encoder takes thirty and writes each word
 * as text: several of these stand before every order.
 *
 * @throws RangeError when a value does not fit its type.
 */
export function hashTypedWords<Name extends string, Message extends Words<Message>>(
  typedData: TypedWords<Name, Message>,
): Hex {
  const packed = new Uint8Array(2 + 2 * wordByteLength);
  packed.set([0x19, 0x01]);
  packed.set(separatorOf(typedData.domain), 2);
  packed.set(structHashOf(typedData), 2 + wordByteLength);
  return hexOf(plainKeccak256(packed));
}

function structHashOf<Name extends string, Message extends Words<Message>>({
  types,
  primaryType,
  message,
}: TypedWords<Name, Message>): Uint8Array {
  const members = types[primaryType];
  const packed = new PackedBytes((1 + members.length) * wordByteLength).zeros(wordByteLength);
  for (const { name, type } of members) pushWord(packed, type, message[name]);
  packed.bytes.set(typeHashOf(primaryType, members));
  return plainKeccak256(packed.finish());
}

function pushWord(packed: PackedBytes, type: Member['type'], value: Hex | bigint | number): void {
  if (type === 'address') packed.zeros(12).hex(value as Hex, 20);
  else if (type === 'bytes32') packed.hex(value as Hex, wordByteLength);
  else {
    const number = BigInt(value);
    if (number >> BigInt(type.slice('uint'.length)) !== 0n) throw new RangeError(`value does not fit ${type}`);
    packed.uint256(number);
  }
}

const typeHashes = /* @__PURE__ */ new WeakMap<readonly Member[], Uint8Array>();

/** Kept for as long as the description of the struct, which is a constant. */
function typeHashOf(primaryType: string, members: readonly Member[]): Uint8Array {
  const known = typeHashes.get(members);
  if (known !== undefined) return known;
  const hash = hashOfText(`${primaryType}(${members.map(({ type, name }) => `${type} ${name}`).join(',')})`);
  typeHashes.set(members, hash);
  return hash;
}

/** The last one: a program signs for one vault and one exchange, many times in a row. */
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
