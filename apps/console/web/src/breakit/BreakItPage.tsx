import { useQuery } from '@tanstack/react-query';
import { useMarkets } from '../markets/useMarkets.ts';
import { errorText } from '../parts/errorText.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { useTitle } from '../useTitle.ts';
import { ClockCard } from './ClockCard.tsx';
import { ScenarioStudio } from './ScenarioStudio.tsx';
import { Tour } from './Tour.tsx';
import { venueClient } from './venueClient.ts';

/** Page of a local stack that plays failure scenarios. */
export function BreakItPage() {
  useTitle('Break it');
  const { config } = useSession();
  const markets = useMarkets();
  const scenarios = useQuery({
    queryKey: ['venue', 'scenarios'],
    queryFn: () => venueClient.scenarios(),
    enabled: config.hasVenueControl,
  });
  if (!config.hasVenueControl) {
    return <p role="alert">This page needs a local stack. Start one with `pnpm start`.</p>;
  }
  if (markets.isError) return <p role="alert">{errorText(markets.error)}</p>;
  if (scenarios.isError) return <p role="alert">{errorText(scenarios.error)}</p>;
  if (markets.data === undefined || scenarios.data === undefined) return <p role="status">Loading the venue …</p>;
  return (
    <>
      <h1>Break it</h1>
      <div className="columns">
        <Tour markets={markets.data} />
        <div>
          <ScenarioStudio scenarios={scenarios.data} markets={markets.data} />
          <ClockCard />
        </div>
      </div>
    </>
  );
}
