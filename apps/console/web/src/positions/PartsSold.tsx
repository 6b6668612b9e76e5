import { useQuery } from '@tanstack/react-query';
import { cents, dollars, times, timeText, tokens } from '../money.ts';
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
            {timeText(part.executed_at)}: {tokens(part.sold_token_units)} tokens at{' '}
            {cents(part.average_sale_price_usd_pips)}; {dollars(part.capital_repaid_usd_pips)} of the loan repaid,{' '}
            {dollars(part.user_payout_usd_pips)} paid out; {tokens(part.remaining_position_token_units)} tokens left
            {' at '}
            {times(part.new_leverage_bps)}.
          </li>
        ))}
      </ul>
    </section>
  );
}
