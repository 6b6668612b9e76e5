import type { FeeRates } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { feeRate } from '../money.ts';
import { Figure } from '../parts/Figure.tsx';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { useTitle } from '../useTitle.ts';

/** Page for traders about the ways to lose money; it can be printed. */
export function RiskPage() {
  useTitle('How you lose money here');
  return (
    <article className="prose">
      <h1>How you lose money here</h1>
      <p>
        You buy tokens of one side of a market, partly with your collateral and partly with a loan of the pool. A token
        pays 1 USD if its side wins and nothing if it loses.{' '}
        <strong>You can lose all of your collateral and fees.</strong> You never owe more: a loss beyond them is the
        pool's.
      </p>
      <Liquidation />
      <Fees />
      <Time />
      <Selling />
      <Failures />
      <p className="screen-only">
        <button type="button" className="quiet" onClick={() => globalThis.print()}>
          Print
        </button>{' '}
        <Link to="/">Back to the markets</Link>
      </p>
    </article>
  );
}

interface PartProps {
  readonly title: string;
  readonly children: ReactNode;
}

function Part({ title, children }: PartProps) {
  return (
    <section>
      <h2>{title}</h2>
      <div>{children}</div>
    </section>
  );
}

function Liquidation() {
  return (
    <Part title="The price falls">
      <p>
        Below the liquidation price all of your tokens are sold and the loan is repaid. What is left is yours, and often
        nothing is left. The price may recover afterwards: you no longer hold the tokens.
      </p>
      <p>
        At 5x, a fall of less than a fifth of the price takes the whole collateral. Prices here jump: one goal, one
        result or one tick of a coin may move them by tens of cents between two trades, past the liquidation price.
      </p>
      <p>
        Before that, tokens may be sold in steps to reduce the loan when the price falls, volatility rises or the order
        book becomes thin. Each of these sales pays the venue's fee and makes the later gain smaller.
      </p>
    </Part>
  );
}

/** Fees with the rates of the caller. */
function Fees() {
  const { user } = useSession();
  const { data } = useQuery({ queryKey: queryKeys.feeRates('all'), queryFn: () => user.feeRates() });
  return (
    <Part title="Fees and the spread">
      <p>
        You buy at the ask and sell at the bid. Both trades pay the venue's fee, on the whole size and not on the
        collateral alone. The ticket shows the sum as the round trip, as fills of this size cost in the last day: at
        high leverage it takes a quarter of the collateral and more. Beside it is the most that your slippage and a sale
        5 % below the bid allow.
      </p>
      <ul>
        <li>
          Interest on the loan: <Figure>{rateText(data?.lifetime_fee_apr_bps)}</Figure> a year.
        </li>
        <li className="fee-tiers">
          Origination fee on the whole size: <Figure>{originationText(data?.origination_fee_tiers)}</Figure>.
        </li>
        <li>
          Liquidation fee: <Figure>{rateText(data?.liquidation_fee_bps)}</Figure>.
        </li>
      </ul>
    </Part>
  );
}

/** Return a rate; a dash before the rates are loaded. */
const rateText = (bps: number | undefined): string => (bps === undefined ? '–' : feeRate(bps));

function originationText(tiers: FeeRates['origination_fee_tiers'] | undefined): string {
  const texts = tiers?.map((tier) => `${feeRate(tier.fee_bps)} up to ${tier.max_leverage_bps / 10_000}x`);
  return texts?.join(', ') ?? '–';
}

function Time() {
  return (
    <Part title="Time runs out">
      <p>
        No loan lasts until the result. Before the market closes, in sport also while the event runs, tokens are sold
        until the loan is repaid, at the bid of that moment. Only the rest waits for the result.
      </p>
      <p>
        If the market is voided, both sides pay the same, usually 50 cents, whatever you paid. A result may be disputed
        at the venue: you wait, and interest on an open loan continues.
      </p>
    </Part>
  );
}

function Selling() {
  return (
    <Part title="You cannot sell">
      <p>
        A sale needs bids. In a crash there may be none at your minimum price, and the request waits. There is no
        stop-loss and no guaranteed price. The chart and the figures show a price at which no buyer is bound to buy.
      </p>
      <p>
        The venue may be closed, restarting or refuse orders. In that time neither you nor the service can sell, and the
        price continues to move.
      </p>
    </Part>
  );
}

function Failures() {
  return (
    <Part title="Something breaks">
      <p>
        The contracts, the venue, the stablecoin or the chain may fail or be attacked, and money in them may be lost.
        Without the service you can still repay your loan and take the tokens with the{' '}
        <a href="./exit.html">exit page</a>, which needs only a node.
      </p>
      <p>Do not open a position with money that you need.</p>
    </Part>
  );
}
