import { type Address, encodePacked, type Hex, keccak256 } from 'viem';

/** Prime of the field over which alt_bn128 is defined; its curve is y² = x³ + 3. */
const fieldPrime = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/**
 * Return the condition id of a question with two outcomes: keccak-256 of the packed oracle, question id and outcome
 * count. It is the venue's market id.
 */
export function conditionIdOf(parameters: { readonly oracle: Address; readonly questionId: Hex }): Hex {
  return keccak256(encodePacked(['address', 'bytes32', 'uint256'], [parameters.oracle, parameters.questionId, 2n]));
}

/**
 * Return the collection id of one outcome of a condition without a parent collection: the hash of condition and index
 * set, incremented to the next x on alt_bn128. The top bit of the hash selects one of the two points; bit 254 of the id
 * stores whether its y is odd.
 *
 * @param parameters.indexSet 1 for the first token (YES), 2 for the second (NO).
 */
export function collectionIdOf(parameters: { readonly conditionId: Hex; readonly indexSet: 1 | 2 }): Hex {
  const { conditionId, indexSet } = parameters;
  const hash = BigInt(keccak256(encodePacked(['bytes32', 'uint256'], [conditionId, BigInt(indexSet)])));
  const wantsOddY = hash >> 255n !== 0n;
  let x = hash;
  let y = 0n;
  let ySquared = 0n;
  do {
    x = (x + 1n) % fieldPrime;
    ySquared = (x * x * x + 3n) % fieldPrime;
    // The prime is 3 modulo 4, so this power is a root whenever one exists.
    y = powerModulo(ySquared, (fieldPrime + 1n) / 4n);
  } while ((y * y) % fieldPrime !== ySquared);
  const isOdd = (y & 1n) === 1n;
  const yIsOdd = isOdd === wantsOddY ? isOdd : ((fieldPrime - y) & 1n) === 1n;
  const id = yIsOdd ? x ^ (1n << 254n) : x;
  return `0x${id.toString(16).padStart(64, '0')}`;
}

/** Return the ERC-1155 token id of a collection in a collateral token. */
export function positionIdOf(parameters: { readonly collateralToken: Address; readonly collectionId: Hex }): bigint {
  return BigInt(keccak256(encodePacked(['address', 'bytes32'], [parameters.collateralToken, parameters.collectionId])));
}

/** Return both token ids of a condition, first token (YES) first. */
export function tokenIdsOf(parameters: {
  readonly collateralToken: Address;
  readonly conditionId: Hex;
}): readonly [bigint, bigint] {
  const { collateralToken, conditionId } = parameters;
  return [
    positionIdOf({ collateralToken, collectionId: collectionIdOf({ conditionId, indexSet: 1 }) }),
    positionIdOf({ collateralToken, collectionId: collectionIdOf({ conditionId, indexSet: 2 }) }),
  ];
}

function powerModulo(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % fieldPrime;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % fieldPrime;
    square = (square * square) % fieldPrime;
  }
  return result;
}
