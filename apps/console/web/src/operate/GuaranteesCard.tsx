import { useQuery } from '@tanstack/react-query';
import { timeText } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { type ApiFacts, answeringCount, togetherOf } from './operationsClient.ts';
import { readVaultSwitches } from './readGuarantees.ts';

const readAgainMs = 5_000;
/** Of the markets, divided among keepers. */
const shareCount = 8;

/** Switches and sums of the contracts, read from the chain itself. */
function useVaultSwitches() {
  const { config } = useSession();
  return useQuery({
    queryKey: ['operate', 'vault'],
    queryFn: () => readVaultSwitches(config),
    staleTime: 0,
    refetchInterval: readAgainMs,
  });
}

/** A line with its state in words; the colour says nothing more. */
function State({ name, id, isGood, text }: StateProps) {
  return (
    <li data-state={id} data-good={isGood} className={isGood ? undefined : 'closed'}>
      {isGood ? '✓' : '✕'} {name}: {text}
    </li>
  );
}

interface StateProps {
  readonly id: string;
  readonly name: string;
  readonly isGood: boolean;
  readonly text: string;
}

/** Everything that stops quotes or openings, and whether it does. */
export function BreakersCard({ api }: { readonly api: ApiFacts | null }) {
  const { data: vault } = useVaultSwitches();
  const keepers = api?.keepers ?? [];
  const keeper = togetherOf(keepers);
  const signers = keeper === null ? 0 : answeringCount(keeper);
  const alarmEnd = vault?.alarmEndsAt ?? null;
  const states: readonly StateProps[] = [
    {
      id: 'service',
      name: 'Service',
      isGood: api?.missing.length === 0,
      text: api === null ? 'unknown' : api.missing.length === 0 ? 'ready' : `waits for ${api.missing.join(', ')}`,
    },
    {
      id: 'keepers',
      name: 'Markets',
      isGood: keeper?.shares.length === shareCount,
      text: `${keeper?.shares.length ?? 0} of ${shareCount} shares looked after, by ${keepers.length} ${keepers.length === 1 ? 'keeper' : 'keepers'}`,
    },
    {
      id: 'venue',
      name: 'Venue',
      isGood: keeper?.is_venue_taking_orders === true,
      text: keeper?.is_venue_taking_orders === true ? 'takes our orders' : 'takes no orders',
    },
    {
      id: 'signers',
      name: 'Price signers',
      isGood: keeper?.is_price_signer_answering === true,
      text: `${signers} answer, ${keeper?.required_signatures ?? '–'} are needed`,
    },
    {
      id: 'opening',
      name: 'Openings',
      isGood: vault?.isOpeningPaused === false,
      text: vault?.isOpeningPaused === false ? 'allowed by the vault' : 'paused by the vault, or not read yet',
    },
    {
      id: 'alarm',
      name: 'Alarm',
      isGood: vault !== undefined && alarmEnd === null,
      text: alarmEnd === null ? 'none' : `on until ${timeText(new Date(alarmEnd * 1_000).toISOString())}`,
    },
  ];
  return (
    <section className="card" aria-labelledby="breakers">
      <h2 id="breakers">Breakers</h2>
      <ul className="events">
        {states.map((state) => (
          <State key={state.id} {...state} />
        ))}
      </ul>
    </section>
  );
}

/** Sums that hold at every block. */
export function GuaranteesCard() {
  const vault = useVaultSwitches();
  return (
    <section className="card" aria-labelledby="guarantees">
      <h2 id="guarantees">Invariants</h2>
      {vault.isError ? <p role="alert">{errorText(vault.error)}</p> : null}
      <ul className="events">
        {(vault.data?.guarantees ?? []).map(({ name, text, isHeld }) => (
          <State key={name} id={name} name={text} isGood={isHeld} text={isHeld ? 'held' : 'BROKEN'} />
        ))}
      </ul>
      <p className="hint">Computed here from the chain, at one block; no program of the service is asked.</p>
    </section>
  );
}
