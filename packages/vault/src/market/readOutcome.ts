import { type TokenUnits, tokenUnits } from '@core/pricing';
import {
  type Address,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  type PublicClient,
  size,
  slice,
  toFunctionSelector,
} from 'viem';
import { conditionalTokensAbi } from '../generated/conditionalTokensAbi.ts';
import { managedTokensAbi } from '../generated/managedTokensAbi.ts';
import { isManagedToken } from './outcomeLedger.ts';

/** Contracts that hold outcome tokens. */
export interface LedgerContracts {
  readonly conditionalTokens: Address;
  /** Null for a vault without outcomes of the PositionManager. */
  readonly positionManager: Address | null;
}

/** Outcome of a read, at a block; the latest one when it is absent. */
export interface OutcomeAt {
  readonly contracts: LedgerContracts;
  readonly conditionId: Hex;
  readonly tokenId: bigint;
  readonly blockNumber?: bigint;
}

/** Payouts of both outcomes as shares of a denominator, first outcome first. */
export interface ReportedShares {
  readonly numerators: readonly [bigint, bigint];
  readonly denominator: bigint;
}

/** Payout of one token of the PositionManager is its share of the result, in millionths. */
const wholeToken = 1_000_000n;
const wordBytes = 32;
/** The only answer with which the PositionManager says that a condition is undecided. */
const notResolved = /* @__PURE__ */ toFunctionSelector('ConditionNotResolved()');

/**
 * Return the contract that holds a token.
 * @throws Error for a token of the PositionManager where the vault has none.
 */
export function tokenContractOf(tokenId: bigint, { conditionalTokens, positionManager }: LedgerContracts): Address {
  if (!isManagedToken(tokenId)) return conditionalTokens;
  if (positionManager === null) throw new Error(`the vault has no PositionManager for token ${tokenId}`);
  return positionManager;
}

/** Read the tokens of an account, donations included. @throws the client's error */
export async function readTokenUnits(
  client: PublicClient,
  { contracts, tokenId, blockNumber, owner }: Omit<OutcomeAt, 'conditionId'> & { readonly owner: Address },
): Promise<TokenUnits> {
  const units = await client.readContract({
    address: tokenContractOf(tokenId, contracts),
    // Both ledgers answer the same call.
    abi: conditionalTokensAbi,
    functionName: 'balanceOf',
    args: [owner, tokenId],
    ...atBlock(blockNumber),
  });
  return tokenUnits(units);
}

/**
 * Read whether the result of an outcome is known. A PositionManager that neither pays nor answers exactly "not
 * resolved" is an error: no order and no settlement may follow from it.
 *
 * @throws Error when the ledger says neither, or the client's error.
 */
export async function readIsDecided(
  client: PublicClient,
  { contracts, conditionId, tokenId, blockNumber }: OutcomeAt,
): Promise<boolean> {
  if (isManagedToken(tokenId)) return (await readShare(client, { contracts, tokenId, blockNumber })) !== null;
  return (await readDenominator(client, { contracts, conditionId, blockNumber })) > 0n;
}

/**
 * Read the payouts of a condition. Shares of the PositionManager are any split of a million.
 *
 * @returns Null while the condition is undecided.
 * @throws Error when the ledger says neither, or the client's error.
 */
export async function readShares(
  client: PublicClient,
  {
    contracts,
    conditionId,
    tokenIds,
    blockNumber,
  }: Omit<OutcomeAt, 'tokenId'> & { readonly tokenIds: readonly [bigint, bigint] },
): Promise<ReportedShares | null> {
  const [first, second] = tokenIds;
  if (isManagedToken(first)) {
    const [one, other] = await Promise.all([
      readShare(client, { contracts, tokenId: first, blockNumber }),
      readShare(client, { contracts, tokenId: second, blockNumber }),
    ]);
    return one === null || other === null ? null : { numerators: [one, other], denominator: wholeToken };
  }
  if (isManagedToken(second)) throw new Error(`the tokens ${first} and ${second} are of two ledgers`);
  const denominator = await readDenominator(client, { contracts, conditionId, blockNumber });
  if (denominator === 0n) return null;
  const read = { address: contracts.conditionalTokens, abi: conditionalTokensAbi, ...atBlock(blockNumber) } as const;
  const numerators = await Promise.all([
    client.readContract({ ...read, functionName: 'payoutNumerators', args: [conditionId, 0n] }),
    client.readContract({ ...read, functionName: 'payoutNumerators', args: [conditionId, 1n] }),
  ]);
  return { numerators, denominator };
}

const atBlock = (blockNumber: bigint | undefined) => (blockNumber === undefined ? {} : { blockNumber });

interface At {
  readonly contracts: LedgerContracts;
  readonly blockNumber: bigint | undefined;
}

function readDenominator(
  client: PublicClient,
  { contracts, conditionId, blockNumber }: At & { readonly conditionId: Hex },
): Promise<bigint> {
  return client.readContract({
    address: contracts.conditionalTokens,
    abi: conditionalTokensAbi,
    functionName: 'payoutDenominator',
    args: [conditionId],
    ...atBlock(blockNumber),
  });
}

/** Read the payout of one token in millionths; null while its condition is undecided. */
async function readShare(
  client: PublicClient,
  { contracts, tokenId, blockNumber }: At & { readonly tokenId: bigint },
): Promise<bigint | null> {
  const to = tokenContractOf(tokenId, contracts);
  const data = encodeFunctionData({ abi: managedTokensAbi, functionName: 'getPayout', args: [tokenId, wholeToken] });
  const answer = await client.call({ to, data, ...atBlock(blockNumber) }).catch((error: unknown) => {
    if (revertDataOf(error) === notResolved) return null;
    throw error;
  });
  if (answer === null) return null;
  const word = answer.data ?? '0x';
  if (size(word) < wordBytes) throw new Error(`${to} does not say whether token ${tokenId} is decided`);
  return hexToBigInt(slice(word, 0, wordBytes));
}

/** Maximum number of causes below an error of the client. */
const maxCauses = 10;

/** Return the data of a revert, lower case, from the chain of causes: nodes return it at different depths. */
function revertDataOf(error: unknown): string | null {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < maxCauses; depth += 1) {
    const data = 'data' in cause ? cause.data : null;
    const nested = typeof data === 'object' && data !== null && 'data' in data ? data.data : data;
    if (typeof nested === 'string') return nested.toLowerCase();
    cause = cause.cause;
  }
  return null;
}
