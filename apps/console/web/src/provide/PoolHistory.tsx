import type { Market } from '@core/sdk';
import { Link } from '@tanstack/react-router';
import { titleOf } from '../markets/filterMarkets.ts';
import { useMarkets } from '../markets/useMarkets.ts';
import { dollarsHeld, dollarsOfUnits, timeText } from '../money.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { Figure } from '../parts/Figure.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import type { LossEvent, OutcomeLoan } from './readPoolHistory.ts';

/** Table of loans by outcome. Titles come from the service; without it the token ids are shown. */
export function Loans({ loans }: { readonly loans: readonly OutcomeLoan[] }) {
  const markets = useMarkets();
  return (
    <section className="card" aria-labelledby="pool-loans">
      <h2 id="pool-loans">Loans</h2>
      {loans.length === 0 ? (
        <p className="hint">No loans.</p>
      ) : (
        <DataTable name="Loans by outcome" heads={['Outcome', 'Lent', 'Cap']}>
          {loans.map((loan) => (
            <tr key={loan.outcomeId}>
              <td>
                <OutcomeName loan={loan} markets={markets.data ?? []} />
              </td>
              <td translate="no">{dollarsHeld(loan.loanUsdcUnits)}</td>
              <td translate="no">{dollarsHeld(loan.capUsdcUnits)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

function OutcomeName({ loan, markets }: { readonly loan: OutcomeLoan; readonly markets: readonly Market[] }) {
  for (const market of markets) {
    const { yes_token_id: yes, no_token_id: no } = market.venue;
    if (loan.tokenId !== yes && loan.tokenId !== no) continue;
    return (
      <Link to="/markets/$ticker" params={{ ticker: market.ticker }}>
        {`${loan.tokenId === yes ? 'YES' : 'NO'} · ${titleOf(market)}`}
      </Link>
    );
  }
  return (
    <span>
      Outcome <Figure>{String(loan.outcomeId)}</Figure> of a closed market
    </span>
  );
}

const kindTexts: Readonly<Record<LossEvent['kind'], string>> = {
  lost: 'Lost',
  impaired: 'Impaired',
  cleared: 'No longer impaired',
};

/** Table of realised and possible losses with reasons. */
export function Losses({ losses }: { readonly losses: readonly LossEvent[] }) {
  return (
    <section className="card" aria-labelledby="pool-losses">
      <h2 id="pool-losses">Losses</h2>
      {losses.length === 0 ? <p className="hint">No losses so far.</p> : null}
      <ul className="events">
        {losses.map((loss) => (
          <li key={`${loss.hash}${loss.kind}${loss.positionKey}`}>
            <strong>
              <Sentence
                text={`${kindTexts[loss.kind]}${loss.kind === 'cleared' ? '' : `: ${dollarsOfUnits(loss.usdcUnits)}`}`}
              />
            </strong>{' '}
            <Figure className="hint">{timeText(new Date(loss.atSeconds * 1_000).toISOString())}</Figure>
            <br />
            <span>{loss.reason}</span>{' '}
            <code translate="no" title={loss.positionKey}>{`Position ${loss.positionKey.slice(0, 10)}…`}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
