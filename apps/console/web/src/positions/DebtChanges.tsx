import { type PricePips, raw } from '@core/pricing';
import { debtFiguresOf, type PositionDebt } from '@core/sdk';
import { cents, dollarsHeld, dollarsOfUnits, times, tokens } from '../money.ts';
import { Change } from '../parts/Fact.tsx';

interface DebtChangesProps {
  readonly before: PositionDebt;
  readonly after: PositionDebt;
  readonly markPricePips: PricePips;
}

const rows = ['tokens', 'owed', 'equity', 'leverage', 'liquidation'] as const;
const names: Readonly<Record<(typeof rows)[number], string>> = {
  tokens: 'Tokens',
  owed: 'Debt',
  equity: 'Equity',
  leverage: 'Leverage',
  liquidation: 'Liquidation price',
};

/** Effect of an action on size, debt, equity, leverage and liquidation price, at the mark. */
export function DebtChanges({ before, after, markPricePips }: DebtChangesProps) {
  const [old, next] = [before, after].map((debt) => textsOf(debt, markPricePips));
  return (
    <dl aria-label="Before and after">
      {rows.map((row) => (
        <Change key={row} name={names[row]} id={`${row}-change`} before={old?.[row] ?? ''} after={next?.[row] ?? ''} />
      ))}
    </dl>
  );
}

function textsOf(debt: PositionDebt, markPricePips: PricePips): Readonly<Record<(typeof rows)[number], string>> {
  const figures = debtFiguresOf(debt, markPricePips);
  return {
    tokens: tokens(raw(figures.tokenUnits)),
    owed: dollarsOfUnits(raw(figures.owedUsdcUnits)),
    equity: dollarsHeld(raw(figures.equityUsdcUnits)),
    leverage: times(figures.leverageBps === null ? null : Number(raw(figures.leverageBps))),
    liquidation: cents(String(raw(figures.liquidationPricePips))),
  };
}
