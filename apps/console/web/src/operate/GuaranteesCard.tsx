import type { ApiFacts } from '../../../src/operateMessage.ts';
import { timeText } from '../money.ts';
import { Sentence } from '../parts/Sentence.tsx';
import type { VaultSwitches } from './readGuarantees.ts';
import { respondingCount, worstOf } from './worstOf.ts';

/** Return the part of the markets in these shares. Counts are powers of two: the sum is exact. */
const coverageOf = (shares: readonly string[]): number =>
  shares.reduce((sum, name) => sum + 1 / Number(name.split('/')[1]), 0);

/** Line with its state in words; the colour adds no information. */
function State({ name, id, isGood, text }: StateProps) {
  const sign = isGood === null ? '?' : isGood ? '✓' : '✕';
  return (
    <li data-state={id} data-good={isGood ?? 'unknown'} className={isGood === false ? 'closed' : undefined}>
      <Sentence text={`${sign} ${name}: ${isGood === null ? 'unknown' : text}`} />
    </li>
  );
}

interface StateProps {
  readonly id: string;
  readonly name: string;
  /** Null before the facts of the line are read. */
  readonly isGood: boolean | null;
  readonly text: string;
}

interface BreakersCardProps {
  readonly api: ApiFacts | null;
  /** Null before they are read from the chain. */
  readonly vault: VaultSwitches | null;
}

/** List of everything that can stop quotes or openings, each with its state. */
export function BreakersCard({ api, vault }: BreakersCardProps) {
  const { keepers, missing } = api ?? { keepers: [], missing: [] };
  const keeper = worstOf(keepers);
  const coverage = coverageOf(keeper?.shares ?? []);
  const signers = keeper === null ? 0 : respondingCount(keeper);
  const alarmEnd = vault?.alarmEndsAt ?? null;
  const states: readonly StateProps[] = [
    {
      id: 'service',
      name: 'Service',
      isGood: api === null ? null : missing.length === 0,
      text: missing.length === 0 ? 'ready' : `waiting for ${missing.join(', ')}`,
    },
    {
      id: 'keepers',
      name: 'Markets',
      isGood: api === null ? null : coverage === 1,
      text: `${Math.floor(100 * coverage)} % covered by ${keepers.length} ${keepers.length === 1 ? 'keeper' : 'keepers'}`,
    },
    {
      id: 'venue',
      name: 'Venue',
      isGood: keeper && keeper.is_venue_taking_orders,
      text: keeper?.is_venue_taking_orders === true ? 'accepts orders' : 'accepts no orders',
    },
    {
      id: 'signers',
      name: 'Price signers',
      isGood: keeper && keeper.is_price_signer_answering,
      text: `${signers} respond, ${keeper?.required_signatures ?? '–'} required`,
    },
    {
      id: 'opening',
      name: 'Openings',
      isGood: vault && !vault.isOpeningPaused,
      text: vault?.isOpeningPaused === false ? 'allowed by the vault' : 'paused by the vault',
    },
    {
      id: 'alarm',
      name: 'Alarm',
      isGood: vault && alarmEnd === null,
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

/** List of the invariants that hold at every block. */
export function GuaranteesCard({ vault }: Pick<BreakersCardProps, 'vault'>) {
  return (
    <section className="card" aria-labelledby="guarantees">
      <h2 id="guarantees">Invariants</h2>
      <ul className="events">
        {(vault?.guarantees ?? []).map(({ name, text, isHeld }) => (
          <State key={name} id={name} name={text} isGood={isHeld} text={isHeld ? 'held' : 'BROKEN'} />
        ))}
      </ul>
      {vault === null ? <p className="hint">Unknown: the chain was not read yet.</p> : null}
      <p className="hint">Computed in this page from the chain, at one block.</p>
    </section>
  );
}
