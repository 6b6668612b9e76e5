import { useQuery } from '@tanstack/react-query';
import { cents, dollars, times, timeText, tokens } from '../money.ts';
import { Figure } from '../parts/Figure.tsx';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Partial sales of the position that its owner requested. */
export function PartsSold({ id }: { readonly id: string }) {
  const { user } = useSession();
  const partsQuery = useQuery({
    queryKey: queryKeys.partialCloses(id),
    queryFn: async () => (await user.positions.partialCloses(id).firstPage()).data,
  });
  if (partsQuery.data === undefined || partsQuery.data.length === 0) return null;
  return (
    <section className="card" aria-label="Partial sales">
      <h2>Partial sales</h2>
      <ul>
        {partsQuery.data.map((part) => (
          <li key={part.executed_at}>
            <Figure>{timeText(part.executed_at)}</Figure>: <Figure>{tokens(part.sold_token_units)}</Figure> tokens
            {' at '}
            <Figure>{cents(part.average_sale_price_usd_pips)}</Figure>;{' '}
            <Figure>{dollars(part.capital_repaid_usd_pips)}</Figure> of the loan repaid,{' '}
            <Figure>{dollars(part.user_payout_usd_pips)}</Figure> paid out;{' '}
            <Figure>{tokens(part.remaining_position_token_units)}</Figure> tokens left at{' '}
            <Figure>{times(part.new_leverage_bps)}</Figure>.
          </li>
        ))}
      </ul>
    </section>
  );
}
