import { raw } from '@core/pricing';
import { bidOf, type FeeRates, type Market, type TicketQuote, ticketOf } from '@core/sdk';
import { cents, dollars, dollarsHeld, dollarsOfUnits, percent } from '../money.ts';
import { Fact } from '../parts/Fact.tsx';

interface QuoteFiguresProps {
  /** An estimate, a draft or a signed quote: all are shown with the same names. */
  readonly quote: TicketQuote;
  readonly market: Market;
  readonly side: 'yes' | 'no';
  readonly feeRates?: FeeRates | undefined;
}

/** Every figure of a position that may be opened; a sale is reckoned at the bid of this moment. */
export function QuoteFigures({ quote, market, side, feeRates }: QuoteFiguresProps) {
  const markPricePips = bidOf(market, side);
  const ticket = ticketOf(quote, { markPricePips, feeRates });
  const paid = quote.total_user_amount_usdc_units;
  const { collateral_usdc_units: collateral, origination_fee_usdc_units: origination } = quote;
  const { expected_open_trading_fee_usdc_units: trading } = quote;
  return (
    <dl aria-live="off">
      <Fact name="You pay in all" id="total" units={paid}>
        {dollarsOfUnits(BigInt(paid))}
      </Fact>
      <Fact name="Collateral" id="collateral" units={collateral}>
        {dollarsHeld(BigInt(collateral))}
      </Fact>
      <Fact name="Borrowed" id="borrowed" units={raw(ticket.borrowUsdcUnits)}>
        {dollarsOfUnits(raw(ticket.borrowUsdcUnits))}
      </Fact>
      <Fact name="Entry price">{cents(quote.entry_price_usd_pips)}</Fact>
      <Fact name={`Origination fee ${percent(quote.origination_fee_bps)}`} id="origination" units={origination}>
        {dollarsOfUnits(BigInt(origination))}
      </Fact>
      <Fact name="Trading fee, at most" id="trading" units={trading}>
        {dollarsOfUnits(BigInt(trading))}
      </Fact>
      <Fact name={`Interest ${percent(quote.lifetime_fee_apr_bps)} a year, for an hour and a day`}>
        {dollarsOfUnits(raw(ticket.holdCostPerHourUsdcUnits))} / {dollarsOfUnits(raw(ticket.holdCostPerDayUsdcUnits))}
      </Fact>
      <Fact name="Cost of opening and selling at once" id="round-trip" units={raw(ticket.roundTripCostUsdcUnits)}>
        {dollarsOfUnits(raw(ticket.roundTripCostUsdcUnits))} ({percent(Number(raw(ticket.roundTripCostBps)))} of the
        collateral)
      </Fact>
      <Fact name="Liquidation price" id="liquidation" units={raw(ticket.liquidationPricePips)}>
        {cents(String(raw(ticket.liquidationPricePips)))}
      </Fact>
      <Fact name={markPricePips === undefined ? 'Entry is above it by' : 'Bid is above it by'}>
        {cents(String(raw(ticket.liquidationDistancePips)))} ({percent(Number(raw(ticket.liquidationDistanceBps)))})
      </Fact>
      <Fact name="A sale breaks even at">
        {ticket.breakEvenPricePips === null ? 'no price' : cents(String(raw(ticket.breakEvenPricePips)))}
      </Fact>
      <Fact name="A win pays, before interest">{dollarsHeld(raw(ticket.winPaysUsdcUnits))}</Fact>
      <Fact name="The same money at 1x would pay">{dollarsHeld(raw(ticket.winWithoutLeverageUsdcUnits))}</Fact>
      <Fact name="Gain of a win, after these fees" id="gain" units={quote.max_gain?.net_max_gain_usdc_units ?? ''}>
        {dollars(quote.max_gain?.net_max_gain_usd_pips)}
      </Fact>
    </dl>
  );
}
