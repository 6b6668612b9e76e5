import type { PositionTransactions } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { Fact } from '../parts/Fact.tsx';
import { ShortHash } from '../parts/ShortHash.tsx';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Names of the specification's nine groups, in its order. */
const groupTexts: Readonly<Record<keyof PositionTransactions, string>> = {
  open: 'Opening',
  close: 'Sales',
  liquidation: 'Liquidation',
  settle: 'Settlement',
  force_unwind: 'Debt reduced',
  cancel_request: 'Cancellation request',
  cancel: 'Cancellation',
  revert: 'Refund',
  redemption: 'Redemption and claim',
};

const groupNames = Object.keys(groupTexts).filter((name): name is keyof PositionTransactions => name in groupTexts);

/** Final on-chain transactions with their exchange trades. */
export function Transactions({ id }: { readonly id: string }) {
  const { user } = useSession();
  const groups = useQuery({ queryKey: queryKeys.transactions(id), queryFn: () => user.positions.transactions(id) });
  const filledGroups = groupNames.filter((name) => (groups.data?.[name].transactions.length ?? 0) > 0);
  if (groups.data === undefined || filledGroups.length === 0) return null;
  return (
    <section className="card" aria-label="Transactions">
      <h2>Transactions</h2>
      <dl>
        {filledGroups.map((name) => (
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
  const { explorerUrl } = useSession().config;
  const { transaction_hash: hash, exchange_transaction_hashes: exchange = [] } = transaction;
  return (
    <>
      <div>
        <ShortHash hash={hash} explorerUrl={explorerUrl} />
      </div>
      {exchange.map((one) => (
        <div key={one}>
          <span className="hint">exchange</span> <ShortHash hash={one} explorerUrl={explorerUrl} />
        </div>
      ))}
    </>
  );
}
