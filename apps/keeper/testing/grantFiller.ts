import { setTimeout as delay } from 'node:timers/promises';
import type { LocalAccount, LocalPosition } from '@core/contracts/local';
import type { MarketRecord } from '@core/market';
import { conditionalTokensAbi, Purpose, vaultAbi } from '@core/vault';
import { encodeFunctionData, type Hex, parseEventLogs } from 'viem';
import type { TestStack } from './startTestStack.ts';

/** Amount of each token of a market that the filler holds, and more USDC than any grant demands. */
const heldUnits = 5_000_000_000n;
const manyUnits = 1_000_000_000_000n;
const pollMs = 100;

export interface GrantFiller {
  /** Hashes of its fills of a position, oldest first. */
  fillsOf(position: LocalPosition): readonly Hex[];
  /** Fill a position's grant once with no more than these tokens. */
  fillPart(position: LocalPosition, tokenUnits: bigint): Promise<void>;
  /** Stop or resume filling. */
  setFilling(isFilling: boolean): void;
  close(): Promise<void>;
}

/**
 * Start a filler that takes every grant of the stack's positions at once. It holds pairs of their markets, and pays
 * with its own USDC.
 */
export async function startGrantFiller(stack: TestStack, account: LocalAccount): Promise<GrantFiller> {
  const { driver, deployment } = stack;
  const { vault, conditionalTokens, positionManager } = deployment.contracts;
  await driver.approveUsdc(account, vault);
  const approval = { functionName: 'setApprovalForAll', args: [vault, true] } as const;
  const data = encodeFunctionData({ abi: conditionalTokensAbi, ...approval });
  for (const to of [conditionalTokens, positionManager]) await driver.rpc.send(account, { to, data });
  const stocked = new Set<string>();
  const fills = new Map<string, Hex[]>();
  const ending = new AbortController();
  let isFilling = true;

  const stock = async ({ venueMarketId, yesTokenId, noTokenId }: MarketRecord): Promise<void> => {
    if (stocked.has(venueMarketId)) return;
    stocked.add(venueMarketId);
    const conditionId = venueMarketId as Hex;
    const market = {
      questionId: conditionId,
      yes: { conditionId, tokenId: BigInt(yesTokenId) },
      no: { conditionId, tokenId: BigInt(noTokenId) },
    };
    await driver.mintTokens(account, market, heldUnits);
  };

  const fill = async (positionKey: Hex, maximumTokenUnits = heldUnits): Promise<void> => {
    const { client } = driver.rpc;
    const at = { address: vault, abi: vaultAbi } as const;
    const { purpose } = await client.readContract({ ...at, functionName: 'grantOf', args: [positionKey] });
    if (purpose === Purpose.None) return;
    const maximumUnits = purpose === Purpose.Open ? maximumTokenUnits : manyUnits;
    const [whole, left] = await client.readContract({
      ...at,
      functionName: 'quoteFill',
      args: [positionKey, maximumUnits],
    });
    if (left === 0n) return;
    const take = purpose === Purpose.Open || left < maximumTokenUnits ? left : maximumTokenUnits;
    const give = (whole * take + left - 1n) / left;
    // The price of the next block is at least as good for a filler.
    const call = { functionName: 'fill', args: [positionKey, give, take, '0x'] } as const;
    const receipt = await driver.rpc.send(account, { to: vault, data: encodeFunctionData({ abi: vaultAbi, ...call }) });
    const logs = parseEventLogs({ abi: vaultAbi, eventName: 'GrantFilled', logs: receipt.logs });
    if (logs.length > 0) fills.set(positionKey, [...(fills.get(positionKey) ?? []), receipt.transactionHash]);
  };

  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const records = await stack.store.positions.inStatuses(['pending', 'open', 'unwinding', 'closing']);
      for (const { positionKey, venueMarketId } of isFilling ? records : []) {
        const market = await stack.store.markets.byVenueMarketId(venueMarketId);
        if (market !== null) await stock(market);
        // Another fill, or the end of the grant, may come first.
        await fill(positionKey as Hex).catch(() => undefined);
      }
      await delay(pollMs);
    }
  };
  const running = run();
  return {
    fillsOf: ({ positionKey }) => fills.get(positionKey.toLowerCase()) ?? fills.get(positionKey) ?? [],
    fillPart: async ({ positionKey, token }, maximumTokenUnits) => {
      const market = await stack.store.markets.byVenueMarketId(token.conditionId);
      if (market !== null) await stock(market);
      await fill(positionKey, maximumTokenUnits);
    },
    setFilling: (next) => {
      isFilling = next;
    },
    close: async () => {
      ending.abort();
      await running;
    },
  };
}
