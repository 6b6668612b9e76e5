import { useQuery } from '@tanstack/react-query';
import { errorText } from '../parts/errorText.ts';
import { OutsideLink } from '../parts/OutsideLink.tsx';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Rules that resolve a market and their source, as the venue states them. The texts are untrusted. */
export function RulesCard({ ticker }: { readonly ticker: string }) {
  const { user } = useSession();
  const { data, error } = useQuery({
    queryKey: queryKeys.rules(ticker),
    queryFn: () => user.markets.get(ticker, { expand: ['rules'] }),
  });
  if (data === undefined) return error === null ? null : <p className="old">{errorText(error)}</p>;
  const { rules = null, resolution_source: source = null } = data;
  if (rules === null && source === null) return null;
  return (
    <section className="card" aria-label="Rules">
      <h2>Rules</h2>
      {rules === null ? null : <p className="rules">{rules}</p>}
      {source === null ? null : (
        <p>
          Source of the resolution: <OutsideLink text={source} />
        </p>
      )}
      <p className="hint">The rules are those of the venue, which resolves the market.</p>
    </section>
  );
}
