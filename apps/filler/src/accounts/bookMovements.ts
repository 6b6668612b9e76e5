import { conditionalTokensAbi, readInParts, vaultAbi, venueExchangeAbi } from '@core/vault';
import { type Address, erc20Abi, type Hex, isAddressEqual, type PublicClient, zeroAddress } from 'viem';
import type { FillerContracts } from '../chain/fillerAccount.ts';
import { chainFault } from '../chain/transactionSender.ts';
import type { Movement } from '../journal/journalLines.ts';

/** Blocks, both included. */
interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

/** Movement of one log: USDC, or some of one token. */
interface Part {
  readonly hash: Hex;
  readonly blockNumber: bigint;
  readonly usdcUnits: bigint;
  readonly tokens: Movement['tokens'];
  /** True when the redeemer or a router had a part in it, or when a token was made or burned. */
  readonly isPair: boolean;
}

export interface MovementSource {
  readonly client: PublicClient;
  readonly contracts: FillerContracts;
  /** Accounts whose movements are booked: one between them moves nothing. */
  readonly owners: readonly Address[];
}

/**
 * Read what every transaction of a range moved to and from the accounts, from the transfer events of USDC and of both
 * ledgers. Nothing that the venue or the filler itself reports is used.
 *
 * @throws Fault retryable when the chain does not answer.
 */
export async function readMovements(source: MovementSource, range: Range): Promise<readonly Movement[]> {
  try {
    const [parts, { kinds, fillCounts }] = await Promise.all([readParts(source, range), readKinds(source, range)]);
    const byHash = new Map<Hex, Part[]>();
    for (const part of parts) byHash.set(part.hash, [...(byHash.get(part.hash) ?? []), part]);
    return [...byHash]
      .map(([hash, group]) => ({
        hash,
        blockNumber: group[0]?.blockNumber ?? range.to,
        kind: kinds.get(hash) ?? (group.some(({ isPair }) => isPair) ? 'pair' : 'transfer'),
        ...fillCountOf(fillCounts.get(hash) ?? 1),
        usdcUnits: group.reduce((sum, { usdcUnits }) => sum + usdcUnits, 0n),
        tokens: sumsOf(group.flatMap(({ tokens }) => tokens)),
      }))
      .filter(({ kind, usdcUnits, tokens }) => kind !== 'transfer' || usdcUnits !== 0n || tokens.length > 0);
  } catch (cause) {
    throw chainFault('the transfers of the account cannot be read', cause);
  }
}

/** Return the field of a number of fills, which one alone does without. */
const fillCountOf = (fillCount: number): Pick<Movement, 'fillCount'> => (fillCount === 1 ? {} : { fillCount });

function sumsOf(tokens: Movement['tokens']): Movement['tokens'] {
  const sums = new Map<bigint, bigint>();
  for (const { tokenId, tokenUnits } of tokens) sums.set(tokenId, (sums.get(tokenId) ?? 0n) + tokenUnits);
  return [...sums].filter(([, units]) => units !== 0n).map(([tokenId, tokenUnits]) => ({ tokenId, tokenUnits }));
}

async function readParts({ client, contracts, owners }: MovementSource, range: Range): Promise<readonly Part[]> {
  const parts: Part[] = [];
  const isPairPlace = (place: Address): boolean => place === zeroAddress || isAddressEqual(place, contracts.redeemer);
  // The router of the PositionManager moves tokens to their module.
  const isRouted = (operator: Address): boolean =>
    contracts.positionRouter !== null && isAddressEqual(operator, contracts.positionRouter);
  for (const isIn of [true, false]) {
    const sign = isIn ? 1n : -1n;
    const args = isIn ? { to: [...owners] } : { from: [...owners] };
    const usdc = await readInParts(client, range, ({ from: fromBlock, to: toBlock }) =>
      client.getContractEvents({
        address: contracts.usdc,
        abi: erc20Abi,
        eventName: 'Transfer',
        args,
        fromBlock,
        toBlock,
        strict: true,
      }),
    );
    for (const { transactionHash: hash, blockNumber, args: moved } of usdc) {
      const isPair = isAddressEqual(isIn ? moved.from : moved.to, contracts.redeemer);
      parts.push({ hash, blockNumber, usdcUnits: sign * moved.value, tokens: [], isPair });
    }
    const ledgers = [contracts.conditionalTokens, contracts.positionManager].filter((ledger) => ledger !== null);
    const tokenLogs = { address: ledgers, abi: conditionalTokensAbi, args, strict: true } as const;
    const singles = await readInParts(client, range, ({ from: fromBlock, to: toBlock }) =>
      client.getContractEvents({ ...tokenLogs, eventName: 'TransferSingle', fromBlock, toBlock }),
    );
    const batches = await readInParts(client, range, ({ from: fromBlock, to: toBlock }) =>
      client.getContractEvents({ ...tokenLogs, eventName: 'TransferBatch', fromBlock, toBlock }),
    );
    const tokenMoves = [
      ...singles.map(({ args: { id, value, ...ends }, ...log }) => ({ ...log, ends, ids: [id], values: [value] })),
      ...batches.map(({ args: { ids, values, ...ends }, ...log }) => ({ ...log, ends, ids, values })),
    ];
    for (const { transactionHash: hash, blockNumber, ends, ids, values } of tokenMoves) {
      const tokens = ids.map((tokenId, index) => ({ tokenId, tokenUnits: sign * (values[index] ?? 0n) }));
      const isPair = isPairPlace(isIn ? ends.from : ends.to) || isRouted(ends.operator);
      parts.push({ hash, blockNumber, usdcUnits: 0n, tokens, isPair });
    }
  }
  return parts;
}

interface NamedKinds {
  readonly kinds: ReadonlyMap<Hex, Movement['kind']>;
  /** Grants that a transaction filled. */
  readonly fillCounts: ReadonlyMap<Hex, number>;
}

/** Return the kind of each transaction in which the exchange or the vault names an account. */
async function readKinds({ client, contracts, owners }: MovementSource, range: Range): Promise<NamedKinds> {
  const kinds = new Map<Hex, Movement['kind']>();
  const fillCounts = new Map<Hex, number>();
  const note = (kind: Movement['kind'], logs: readonly { readonly transactionHash: Hex }[]): void => {
    for (const { transactionHash } of logs) kinds.set(transactionHash, kind);
  };
  note(
    'venue',
    await readInParts(client, range, ({ from: fromBlock, to: toBlock }) =>
      client.getContractEvents({
        address: [contracts.exchange, contracts.managedExchange].filter((exchange) => exchange !== null),
        abi: venueExchangeAbi,
        eventName: 'OrderFilled',
        args: { maker: [...owners] },
        fromBlock,
        toBlock,
      }),
    ),
  );
  const fills = await readInParts(client, range, ({ from: fromBlock, to: toBlock }) =>
    client.getContractEvents({
      address: contracts.vault,
      abi: vaultAbi,
      eventName: 'GrantFilled',
      args: { filler: [...owners, contracts.pairFiller] },
      fromBlock,
      toBlock,
    }),
  );
  note('fill', fills);
  for (const { transactionHash: hash } of fills) fillCounts.set(hash, (fillCounts.get(hash) ?? 0) + 1);
  return { kinds, fillCounts };
}
