import { raw } from '@core/pricing';
import { bidOf, type FeeRates, type Market, midOf, type Ticket, type TicketQuote, ticketOf } from '@core/sdk';
import { serviceNowMs } from '../live/serviceClock.ts';
import { cents, dollars, dollarsHeld, dollarsOfUnits, feeRate, notMeasured, percent } from '../money.ts';
import { Fact } from '../parts/Fact.tsx';
import { lifeText } from './lifeText.ts';

interface QuoteFiguresProps {
  /** Estimate, draft or signed quote, all displayed with the same labels. */
  readonly quote: TicketQuote;
  readonly market: Market;
  readonly side: 'yes' | 'no';
  readonly feeRates?: FeeRates | undefined;
}

/** Six key figures of a position, and all others under "Details"; a sale is computed at the current bid. */
export function QuoteFigures({ quote, market, side, feeRates }: QuoteFiguresProps) {
  const prices = { markPricePips: bidOf(market, side), midPricePips: midOf(market, side) };
  const ticket = ticketOf(quote, { ...prices, feeRates });
  const { measuredRoundTripCostBps: aboutBps } = ticket;
  const paid = quote.total_user_amount_usdc_units;
  return (
    <>
      <dl className="headline" aria-live="off">
        <Fact name="Total cost" id="total" units={paid}>
          {dollarsOfUnits(BigInt(paid))}
        </Fact>
        <Fact name="Maximum profit after fees" id="gain" units={quote.max_gain?.net_max_gain_usdc_units ?? ''}>
          {dollars(quote.max_gain?.net_max_gain_usd_pips)}
        </Fact>
        <Fact name="Liquidation price (distance)" id="liquidation" units={raw(ticket.liquidationPricePips)}>
          {`${cents(String(raw(ticket.liquidationPricePips)))} (${percent(Number(raw(ticket.liquidationDistanceBps)))})`}
        </Fact>
        <Fact name="Round trip, about (of collateral)" id="round-trip-about">
          {aboutBps === null ? notMeasured : percent(Number(raw(aboutBps)))}
        </Fact>
        <Fact name="Round trip, at worst" id="round-trip" units={raw(ticket.worstRoundTripCostUsdcUnits)}>
          {percent(Number(raw(ticket.worstRoundTripCostBps)))}
        </Fact>
        <Fact name="Leverage lasts at most">{lifeText(market, serviceNowMs())}</Fact>
      </dl>
      <Details quote={quote} ticket={ticket} />
    </>
  );
}

const routeTexts = { direct: 'Venue', fill: 'Fillers' } as const;

function Details({ quote, ticket }: { readonly quote: TicketQuote; readonly ticket: Ticket }) {
  const { collateral_usdc_units: collateral, origination_fee_usdc_units: origination } = quote;
  const { expected_open_trading_fee_usdc_units: trading, basis } = quote;
  const { measuredRoundTripCostUsdcUnits: about } = ticket;
  return (
    <details className="drawer">
      <summary>Details</summary>
      <dl aria-live="off">
        <Fact name="Collateral" id="collateral" units={collateral}>
          {dollarsHeld(BigInt(collateral))}
        </Fact>
        <Fact name="Borrowed" id="borrowed" units={raw(ticket.borrowUsdcUnits)}>
          {dollarsOfUnits(raw(ticket.borrowUsdcUnits))}
        </Fact>
        <Fact name="Entry price">{cents(quote.entry_price_usd_pips)}</Fact>
        {basis?.opening_route !== undefined && <Fact name="Opening route">{routeTexts[basis.opening_route]}</Fact>}
        <Fact name={`Origination fee (${feeRate(quote.origination_fee_bps)})`} id="origination" units={origination}>
          {dollarsOfUnits(BigInt(origination))}
        </Fact>
        <Fact name="Trading fee (maximum)" id="trading" units={trading}>
          {dollarsOfUnits(BigInt(trading))}
        </Fact>
        <Fact name={`Interest per hour (${feeRate(quote.lifetime_fee_apr_bps)} APR)`}>
          {dollarsOfUnits(raw(ticket.holdCostPerHourUsdcUnits))}
        </Fact>
        <Fact name="Interest per day">{dollarsOfUnits(raw(ticket.holdCostPerDayUsdcUnits))}</Fact>
        <Fact name="Round trip, about">{about === null ? notMeasured : dollarsOfUnits(raw(about))}</Fact>
        <Fact name="Round trip, at worst">{dollarsOfUnits(raw(ticket.worstRoundTripCostUsdcUnits))}</Fact>
        <Fact name="Distance to liquidation">{cents(String(raw(ticket.liquidationDistancePips)))}</Fact>
        <Fact name="Break-even price">
          {ticket.breakEvenPricePips === null ? 'none' : cents(String(raw(ticket.breakEvenPricePips)))}
        </Fact>
        <Fact name="Payout if you win (before interest)">{dollarsHeld(raw(ticket.winPaysUsdcUnits))}</Fact>
        <Fact name="Payout without leverage">{dollarsHeld(raw(ticket.winWithoutLeverageUsdcUnits))}</Fact>
      </dl>
    </details>
  );
}
