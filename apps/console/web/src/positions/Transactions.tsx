import type { PositionTransactions } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { Fact } from '../parts/Fact.tsx';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** The nine groups of the specification, in its order. */
const groupTexts: Readonly<Record<keyof PositionTransactions, string>> = {
  open: 'Opening',
  close: 'Sales you asked for',
  liquidation: 'Liquidation',
  settle: 'Settlement',
  force_unwind: 'Debt reduced',
  cancel_request: 'Cancellation asked for',
  cancel: 'Cancellation',
  revert: 'Refund',
  redemption: 'Redemption and claim',
};

const groupNames = Object.keys(groupTexts) as (keyof PositionTransactions)[];

/** Final transactions on chain, with those of the exchange that belong to them. */
export function Transactions({ id }: { readonly id: string }) {
  const { user } = useSession();
  const groups = useQuery({ queryKey: queryKeys.transactions(id), queryFn: () => user.positions.transactions(id) });
  const shown = groupNames.filter((name) => (groups.data?.[name].transactions.length ?? 0) > 0);
  if (groups.data === undefined || shown.length === 0) return null;
  return (
    <section className="card" aria-label="Transactions">
      <h2>Transactions</h2>
      <dl>
        {shown.map((name) => (
          <Fact key={name} name={groupTexts[name]} id={`transactions-${name}`}>
            {groups.data[name].transactions.map((transaction) => (
              <Hashes key={transaction.transaction_hash} transaction={transaction} />
            ))}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

interface FinalTransaction {
  readonly transaction_hash: string;
  readonly exchange_transaction_hashes?: readonly string[];
}

function Hashes({ transaction }: { readonly transaction: FinalTransaction }) {
  const { transaction_hash: hash, exchange_transaction_hashes: exchange = [] } = transaction;
  return (
    <>
      <code>{hash}</code>
      {exchange.map((one) => (
        <code key={one}>exchange {one}</code>
      ))}
    </>
  );
}
