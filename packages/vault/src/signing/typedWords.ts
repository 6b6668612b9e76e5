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

/** Members of one word each: no text, no dynamic bytes, no list, no nested struct. */
interface Member {
  readonly name: string;
  readonly type: 'address' | 'bytes32' | `uint${8 | 16 | 32 | 64 | 256}`;
}

type Words<Message> = { readonly [Name in keyof Message]: Hex | bigint | number };

/** Typed data for wallets, of a struct whose members are one word each. */
export interface TypedWords<Name extends string, Message extends Words<Message>> {
  readonly domain: Domain;
  readonly types: Readonly<Record<Name, readonly (Member & { readonly name: keyof Message })[]>>;
  readonly primaryType: Name;
  readonly message: Message;
}

const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const wordByteLength = 32;

/**
 * Return the EIP-712 hash of a struct. It needs three rounds of keccak-256 over packed words; a general encoder needs
 * thirty and formats each word as text, and several hashes are computed before every order.
 *
 * @throws RangeError when a value does not fit its type.
 */
export function hashTypedWords<Name extends string, Message extends Words<Message>>(
  typedData: TypedWords<Name, Message>,
): Hex {
  return hexOf(plainKeccak256(typedWordsMessage(typedData)));
}

/**
 * Sign a struct: 65 bytes, low s, v 27 or 28, with the EIP-712 hash that they sign.
 *
 * @throws RangeError when a value does not fit its type.
 */
export async function signTypedWords<Name extends string, Message extends Words<Message>>(
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
function typedWordsMessage<Name extends string, Message extends Words<Message>>(
  typedData: TypedWords<Name, Message>,
): Uint8Array {
  const packed = new Uint8Array(2 + 2 * wordByteLength);
  packed.set([0x19, 0x01]);
  packed.set(separatorOf(typedData.domain), 2);
  packed.set(structHashOf(typedData), 2 + wordByteLength);
  return packed;
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
  if (type === 'address' || type === 'bytes32') {
    if (typeof value !== 'string') throw new RangeError(`value does not fit ${type}`);
    if (type === 'address') packed.zeros(12).hex(value, 20);
    else packed.hex(value, wordByteLength);
  } else {
    const number = BigInt(value);
    if (number >> BigInt(type.slice('uint'.length)) !== 0n) throw new RangeError(`value does not fit ${type}`);
    packed.uint256(number);
  }
}

const typeHashes = /* @__PURE__ */ new WeakMap<readonly Member[], Uint8Array>();

/** Return the type hash, cached for the lifetime of the struct's description, which is a constant. */
function typeHashOf(primaryType: string, members: readonly Member[]): Uint8Array {
  const cachedHash = typeHashes.get(members);
  if (cachedHash !== undefined) return cachedHash;
  const hash = hashOfText(`${primaryType}(${members.map(({ type, name }) => `${type} ${name}`).join(',')})`);
  typeHashes.set(members, hash);
  return hash;
}

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
