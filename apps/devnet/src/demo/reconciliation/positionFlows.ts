import { raw, toUsdPips, usdcUnits } from '@core/pricing';
import type { PositionWire } from '@core/wire';
import type { Check } from './reconciliation.ts';
import { movedBetween, type UsdcTransfer } from './usdcFlows.ts';

/** Addresses whose money moves through one position. */
export interface PositionParties {
  readonly user: string;
  readonly account: string;
  readonly pool: string;
}

/** Transfers of one position's account by counterparty, in USDC units. */
export interface PositionFlows {
  readonly paidByUser: bigint;
  readonly paidToUser: bigint;
  readonly lentByPool: bigint;
  readonly paidToPool: bigint;
  /** Payments to the venue, fees included. */
  readonly paidToVenue: bigint;
  /** Proceeds of sales and redemptions. */
  readonly receivedFromVenue: bigint;
  readonly left: bigint;
}

/** Sum the transfers of one position's account. A holder that is neither user nor pool counts as the venue. */
export function flowsOf(transfers: readonly UsdcTransfer[], parties: PositionParties): PositionFlows {
  const user = parties.user.toLowerCase();
  const account = parties.account.toLowerCase();
  const pool = parties.pool.toLowerCase();
  const into = transfers.filter(({ to }) => to === account);
  const out = transfers.filter(({ from }) => from === account);
  const sum = (moves: readonly UsdcTransfer[]) => moves.reduce((total, { usdcUnits: units }) => total + units, 0n);
  const isVenue = (holder: string) => holder !== user && holder !== pool;
  const flows = {
    paidByUser: movedBetween(transfers, user, account),
    paidToUser: movedBetween(transfers, account, user),
    lentByPool: movedBetween(transfers, pool, account),
    paidToPool: movedBetween(transfers, account, pool),
    paidToVenue: sum(out.filter(({ to }) => isVenue(to))),
    receivedFromVenue: sum(into.filter(({ from }) => isVenue(from))),
  };
  return { ...flows, left: sum(into) - sum(out) };
}

/** Compare the reported figures of a finished position with its transfers, exact to the shown pip. */
export function figureChecksOf(name: string, position: PositionWire, flows: PositionFlows): readonly Check[] {
  if (!('result' in position)) throw new Error(`${name} is not finished: ${position.status}`);
  const { result, entry, fees } = position;
  const pipsOf = (units: bigint) => raw(toUsdPips(usdcUnits(units), 'down'));
  const net = flows.paidToUser - flows.paidByUser;
  return [
    {
      name: `${name}: net result = received − paid (pips)`,
      left: BigInt(result.net_realized_pnl_usd_pips),
      right: pipsOf(net),
    },
    {
      name: `${name}: realized − origination − opening fee = net (pips, ±2 of rounding)`,
      left: 0n,
      right: beyond(
        BigInt(result.realized_pnl_usd_pips) -
          BigInt(entry.origination_fee_usd_pips) -
          BigInt(result.net_realized_pnl_usd_pips),
        { minimum: 0n, maximum: BigInt(fees.total_venue_fee_usd_pips) },
      ),
    },
    { name: `${name}: account is empty`, left: flows.left, right: 0n },
  ];
}

/** Return the distance of a figure from a range, 0 inside. Up to two pips are rounding of shown figures. */
function beyond(figure: bigint, { minimum, maximum }: { readonly minimum: bigint; readonly maximum: bigint }): bigint {
  const roundingPips = 2n;
  if (figure < minimum - roundingPips) return figure - minimum;
  if (figure > maximum + roundingPips) return figure - maximum;
  return 0n;
}
