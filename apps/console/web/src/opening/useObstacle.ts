import type { DraftQuote, Quote, Requirement } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { dollarsHeld, dollarsOfUnits } from '../money.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Requirements that the opening itself fulfils: the allowance is its next step, and a renewal has its own button. */
const ownSteps: ReadonlySet<Requirement['name']> = new Set(['allowance', 'expiry']);

/** Return the on-chain reason why a quote cannot be opened from this wallet now; null when it can. */
export function useObstacle(quote: Quote | DraftQuote | null): string | null {
  const { user, address, config } = useSession();
  const requirements = useQuery({
    queryKey: queryKeys.requirements(quote?.id ?? ''),
    queryFn: async () =>
      quote === null || address === null ? [] : user.preflight(quote, { account: address, chain: config.rpcUrl }),
    enabled: quote !== null && address !== null,
    staleTime: 0,
  });
  const missing = requirements.data?.find(({ name, isMet }) => !isMet && !ownSteps.has(name));
  return missing === undefined ? null : sentenceOf(missing);
}

function sentenceOf({ name, need, have, fix }: Requirement): string {
  if (name !== 'balance') return fix ?? '';
  return `This needs ${dollarsOfUnits(BigInt(need))} and the wallet has ${dollarsHeld(BigInt(have))}. ${fix ?? ''}`;
}
