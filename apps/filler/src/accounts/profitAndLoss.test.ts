import { pad, toHex, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { JournalState } from '../journal/journal.ts';
import type { Movement } from '../journal/journalLines.ts';
import { presentAccounts } from './presentAccounts.ts';
import { profitAndLossOf } from './profitAndLoss.ts';

const conditionId = pad('0x01');

function movementOf(kind: Movement['kind'], usdcUnits: bigint, tokens: Movement['tokens'] = []): Movement {
  return {
    hash: toHex(usdcUnits < 0n ? -usdcUnits : usdcUnits, { size: 32 }),
    blockNumber: 2n,
    kind,
    usdcUnits,
    tokens,
  };
}

test('accounts add up to the balance, by kind and by market, and tokens in stock count as nothing', () => {
  const state = new JournalState();
  expect(profitAndLossOf(state)).toBe(null);
  const owner = { chainId: 1, vault: zeroAddress, account: zeroAddress };
  state.apply({ kind: 'opened', ...owner, blockNumber: 1n, usdcUnits: 1_000_000_000n });
  state.apply({ kind: 'market', conditionId, yesTokenId: 1n, noTokenId: 2n });
  const movements = [
    movementOf('transfer', 5_000_000n),
    movementOf('pair', -100_000_000n, [
      { tokenId: 1n, tokenUnits: 100_000_000n },
      { tokenId: 2n, tokenUnits: 100_000_000n },
    ]),
    movementOf('fill', 53_000_000n, [{ tokenId: 1n, tokenUnits: -100_000_000n }]),
    movementOf('venue', 47_000_001n, [{ tokenId: 2n, tokenUnits: -99_000_000n }]),
  ];
  state.apply({ kind: 'booked', throughBlock: 3n, movements });
  state.apply({ kind: 'gas', wei: 10n ** 15n });
  const accounts = profitAndLossOf(state);
  expect(accounts).toMatchObject({
    balanceUsdcUnits: 1_005_000_001n,
    profitUsdcUnits: 1n,
    transferUsdcUnits: 5_000_000n,
    fillCount: 1,
    markets: [{ conditionId, usdcUnits: 1n, held: [{ tokenId: 2n, tokenUnits: 1_000_000n }] }],
  });
  const lines = accounts === null ? [] : presentAccounts(accounts);
  expect(lines).toContain(`${'balance'.padEnd(22)}1005.000001 USD`);
  expect(lines.at(-1)).toBe(`${'market 0x0000000000'.padEnd(22)}0.000001 USD, holds 1`);
});
