import type { TicketQuote } from '@core/sdk';
import { dollars, dollarsHeld } from '../money.ts';
import { Change } from '../parts/Fact.tsx';
import type { WalletFigures } from './useWalletFigures.ts';

interface OrderChangesProps {
  readonly quote: TicketQuote;
  readonly wallet: WalletFigures;
}

/** What the opening does to the wallet and its limit. */
export function OrderChanges({ quote, wallet: { usdcUnits, limits } }: OrderChangesProps) {
  const left = usdcUnits - BigInt(quote.total_user_amount_usdc_units);
  const used = BigInt(limits.usage_usd_pips);
  const room = BigInt(limits.remaining_usd_pips);
  const notional = BigInt(quote.notional_amount_usd_pips);
  return (
    <dl aria-label="Before and after">
      <Change name="USDC in the wallet" id="wallet-usdc" before={dollarsHeld(usdcUnits)} after={dollarsHeld(left)} />
      <Change name="Open notional" before={dollars(String(used))} after={dollars(String(used + notional))} />
      <Change name="Left of the limit" before={dollars(String(room))} after={dollars(String(room - notional))} />
    </dl>
  );
}
