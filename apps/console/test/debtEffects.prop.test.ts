import { anyLife, openedVaultOf } from '@core/position/testing/referenceLives.ts';
import { rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import { debtAfterMargin, debtAfterSale, type OpenPosition, type PositionDebt } from '@core/sdk';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { partOf, partRangeOf, repaidOf, soldUnitsOf } from '../web/src/positions/soldPart.ts';

type Vault = ReturnType<typeof openedVaultOf>;

/** Vault with an open position some time after its opening. */
const anyVault = fc
  .tuple(anyLife, fc.integer({ min: 0, max: 1_000_000 }))
  .map(([life, seconds]) => {
    const vault = openedVaultOf({ ...life, end: 'open', isRefundBlocked: false });
    vault.pass(seconds);
    return vault;
  })
  .filter(({ state, tokens }) => state === 'open' && tokens > 10_000_000n);

const debtIn = ({ principal, fees, tokens, terms }: Vault): PositionDebt => ({
  principalUsdcUnits: usdcUnits(principal),
  feesUsdcUnits: usdcUnits(fees),
  tokenUnits: tokenUnits(tokens),
  liquidationFeeBps: rateBps(terms.liquidationFeeBps),
  exitBufferBps: rateBps(0n),
});

test('margin: debt before a payment and what is paid → the debt in the vault after it', () => {
  fc.assert(
    fc.property(anyVault, fc.bigInt(1n, 20_000n), (vault, shareBps) => {
      const paid = (vault.debt * shareBps) / 10_000n + 1n;
      const preview = debtAfterMargin(debtIn(vault), usdcUnits(paid));
      vault.addMargin(paid);
      expect(debtIn(vault)).toEqual(preview);
    }),
  );
});

test('partial sale that covers its share: debt before and tokens sold → the debt in the vault after it', () => {
  fc.assert(
    fc.property(anyVault, fc.bigInt(1n, 9_000n), (vault, shareBps) => {
      const sold = (vault.tokens * shareBps) / 10_000n + 1n;
      const preview = debtAfterSale(debtIn(vault), tokenUnits(sold));
      vault.sell('close', { sold, gross: vault.debt, fee: 0n, isBlocked: false });
      expect(debtIn(vault)).toEqual(preview);
    }),
  );
});

test('sale of a part, and of all tokens: the debt that it repays → what the debt in the vault loses by it', () => {
  fc.assert(
    fc.property(anyVault, fc.bigInt(1n, 9_000n), (vault, shareBps) => {
      const sold = (vault.tokens * shareBps) / 10_000n + 1n;
      const { debt } = vault;
      expect(repaidOf(debtIn(vault), tokenUnits(vault.tokens))).toBe(debt);
      const repaid = repaidOf(debtIn(vault), tokenUnits(sold));
      vault.sell('close', { sold, gross: debt, fee: 0n, isBlocked: false });
      expect(repaid).toBe(debt - vault.debt);
    }),
  );
});

const currentOf = (tokens: string, minimum: string, maximum: string) =>
  ({
    current: {
      position_token_units: tokens,
      min_partial_close_token_units: minimum,
      max_partial_close_token_units: maximum,
    },
  }) as Pick<OpenPosition, 'current'>;

test('size of a sale: quarters, and a part that an automatic sale has made too large → within the range', () => {
  const position = currentOf('100000000', '20000001', '95000000');
  expect(partRangeOf(position)).toEqual({ minimum: 2_001n, maximum: 9_500n });
  expect(partOf(position, 1n)).toBe(2_500n);
  expect(soldUnitsOf(position, 2_500n)).toBe(25_000_000n);
  expect(soldUnitsOf(position, 9_900n)).toBe(95_000_000n);
  expect(soldUnitsOf(position, 1n)).toBe(20_010_000n);
  expect(soldUnitsOf(currentOf('8000000', '0', '0'), 400n)).toBeNull();
});
