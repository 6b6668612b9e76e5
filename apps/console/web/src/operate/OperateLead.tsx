import type { ApiFacts, HistoryPoint, KeeperFigures, TaskFacts } from '../../../src/operateMessage.ts';
import { Fact } from '../parts/Fact.tsx';
import { Figure } from '../parts/Figure.tsx';
import { Sparkline } from '../parts/Sparkline.tsx';
import { timeSlotsOf } from '../parts/timeSlots.ts';

interface OperateLeadProps {
  readonly api: ApiFacts | null;
  /** Null before they are read. */
  readonly tasks: readonly TaskFacts[] | null;
  readonly figures: KeeperFigures | null;
  /** Figures of the last hour, the oldest first. */
  readonly points: readonly HistoryPoint[];
}

/** Figures that an operator checks first; one that needs action is red. */
export function OperateLead({ api, tasks, figures, points }: OperateLeadProps) {
  const silentCount = (tasks ?? []).filter(({ is_silent: isSilent }) => isSilent).length;
  const failing = figures?.failingPositions ?? null;
  return (
    <dl className="headline">
      <Fact name="Service" id="lead-service">
        <Colour isBad={api !== null && api.missing.length > 0}>
          {api === null ? 'unknown' : api.missing.length === 0 ? 'ready' : `waiting for ${api.missing.join(', ')}`}
        </Colour>
      </Fact>
      <Fact name="Tasks" id="lead-tasks">
        <Colour isBad={silentCount > 0}>
          {tasks === null ? 'unknown' : silentCount === 0 ? `${tasks.length} running` : `${silentCount} silent`}
        </Colour>
      </Fact>
      <Fact name="Age of the newest block" id="lead-head">
        <Figure>{secondsOf(figures?.headAgeSeconds ?? null)}</Figure>
        <Line points={points} name="headAgeSeconds" />
      </Fact>
      <Fact name="Oldest pending transaction" id="lead-nonce">
        <Figure>{secondsOf(figures?.nonceAgeSeconds ?? null)}</Figure>
        <Line points={points} name="nonceAgeSeconds" />
      </Fact>
      <Fact name="Debts due now" id="lead-due">
        {countOf(figures?.dueDebts ?? null)}
      </Fact>
      <Fact name="Failing positions" id="lead-failing">
        <Colour isBad={failing !== null && failing > 0}>{countOf(failing)}</Colour>
      </Fact>
      <Fact name="Venue refusals (total)" id="lead-refusals">
        <Figure>{countOf(figures?.venueRefusals ?? null)}</Figure>
        <Line points={points} name="venueRefusals" />
      </Fact>
    </dl>
  );
}

const secondsOf = (seconds: number | null): string => (seconds === null ? 'unknown' : `${seconds.toFixed(1)} s`);
const countOf = (count: number | null): string => (count === null ? 'unknown' : count.toLocaleString('en-US'));

interface LineProps {
  readonly points: readonly HistoryPoint[];
  readonly name: Exclude<keyof HistoryPoint, 'atMs'>;
}

/** Width of a slot: several reads, so that one without a value is a gap. */
const slotSeconds = 15;

/** Line of a figure over the last hour, with a gap while no page watched. */
function Line({ points, name }: LineProps) {
  const samples = points.flatMap(({ atMs, [name]: value }) =>
    value === null ? [] : [{ seconds: Math.floor(atMs / 1_000), value }],
  );
  return <Sparkline isPlain values={timeSlotsOf(samples, slotSeconds).map(({ value = null }) => value)} />;
}

function Colour({ isBad, children }: { readonly isBad: boolean; readonly children: string }) {
  return <span className={isBad ? 'loss' : undefined}>{children}</span>;
}
