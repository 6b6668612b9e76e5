import type { TicketQuote } from '@core/sdk';
import { dollars, dollarsHeld } from '../money.ts';
import { Change } from '../parts/Fact.tsx';
import type { WalletFigures } from './useWalletFigures.ts';

interface OrderChangesProps {
  readonly quote: TicketQuote;
  readonly wallet: WalletFigures;
}

/** Effect of the opening on the wallet and its limit. */
export function OrderChanges({ quote, wallet: { usdcUnits, limits } }: OrderChangesProps) {
  const balanceAfter = usdcUnits - BigInt(quote.total_user_amount_usdc_units);
  const used = BigInt(limits.usage_usd_pips);
  const remaining = BigInt(limits.remaining_usd_pips);
  const notional = BigInt(quote.notional_amount_usd_pips);
  return (
    <dl aria-label="Before and after">
      <Change
        name="USDC in the wallet"
        id="wallet-usdc"
        before={dollarsHeld(usdcUnits)}
        after={dollarsHeld(balanceAfter)}
      />
      <Change name="Open notional" before={dollars(String(used))} after={dollars(String(used + notional))} />
      <Change
        name="Remaining limit"
        before={dollars(String(remaining))}
        after={dollars(String(remaining - notional))}
      />
    </dl>
  );
}
