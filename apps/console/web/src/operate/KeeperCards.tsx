import { useMarkets } from '../markets/useMarkets.ts';
import { times } from '../money.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { Fact } from '../parts/Fact.tsx';
import type { ExitFacts, KeeperFacts, TaskFacts } from './operationsClient.ts';
import { type Sample, valueOf } from './prometheus.ts';

const seconds = (milliseconds: number | null): string =>
  milliseconds === null ? '–' : `${(milliseconds / 1_000).toFixed(1)} s`;

/** The jobs of the keeper, each with the time since it last did its work; the longest silence first. */
export function TasksCard({ tasks }: { readonly tasks: readonly TaskFacts[] }) {
  const sorted = tasks.toSorted(
    (left, right) => right.silence_ms / right.interval_ms - left.silence_ms / left.interval_ms,
  );
  return (
    <section className="card" aria-labelledby="tasks">
      <h2 id="tasks">Keeper tasks</h2>
      <DataTable name="Tasks and their ages" heads={['Task', 'Last done', 'Every', 'State']}>
        {sorted.map((task) => (
          <tr key={task.name} data-task={task.name}>
            <td>{task.name}</td>
            <td>{seconds(task.silence_ms)} ago</td>
            <td>{seconds(task.interval_ms)}</td>
            <td className={task.is_silent ? 'closed' : undefined}>{task.is_silent ? 'silent' : 'at work'}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

interface WorkCardProps {
  readonly samples: readonly Sample[];
  readonly keeper: Omit<KeeperFacts, 'address'> | null;
}

/** What the keeper has to do now. */
export function WorkCard({ samples, keeper }: WorkCardProps) {
  const shown = (name: string, labels: Readonly<Record<string, string>> = {}): string =>
    String(valueOf(samples, name, labels) ?? '–');
  const unseen = keeper?.unseen_markets ?? [];
  return (
    <section className="card" aria-labelledby="due">
      <h2 id="due">What is due</h2>
      <dl>
        <Fact name="Debts followed" id="followed">
          {shown('keeper_followed_debts')}
        </Fact>
        <Fact name="Due for liquidation" id="due-liquidation">
          {shown('keeper_due_debts', { reason: 'liquidation' })}
        </Fact>
        <Fact name="Due before the market ends">{shown('keeper_due_debts', { reason: 'hard_exit' })}</Fact>
        <Fact name="Due for an unwind">{shown('keeper_due_debts', { reason: 'unwind' })}</Fact>
        <Fact name="Can neither be sold nor liquidated, ever">{shown('keeper_unwind_alerts_total')}</Fact>
        <Fact name="Frozen for a person, ever">{shown('keeper_frozen_positions_total')}</Fact>
        <Fact name="Markets it cannot see">{unseen.length === 0 ? 'none' : unseen.join(', ')}</Fact>
        <Fact name="Indexed up to block">{shown('keeper_indexed_block')}</Fact>
        <Fact name="Heartbeat" id="heartbeat">
          {keeper === null ? 'none' : `${seconds(keeper.heartbeat_age_ms)} ago`}
        </Fact>
      </dl>
    </section>
  );
}

/** How long forced sales take, and what leverage that allows. */
export function ExitsCard({ exits }: { readonly exits: readonly ExitFacts[] }) {
  const markets = useMarkets();
  const highestOf = (category: string): number =>
    Math.max(
      0,
      ...(markets.data ?? [])
        .filter((market) => market.category === category && market.accepting_new_positions)
        .flatMap(({ leverage }) => [leverage.max_yes_bps, leverage.max_no_bps]),
    );
  return (
    <section className="card" aria-labelledby="exits">
      <h2 id="exits">Exit times</h2>
      <DataTable
        name="Exit times by category"
        heads={[
          'Category',
          'Forced sales of a day',
          '95 % within',
          'Leverage rests on',
          'Quotes',
          'Highest leverage offered now',
        ]}
      >
        {exits.map((exit) => (
          <tr key={exit.category} data-exit={exit.category}>
            <td>{exit.category}</td>
            <td>{exit.sale_count}</td>
            <td>{seconds(exit.p95_ms)}</td>
            <td>{exit.exit_seconds} s</td>
            <td className={exit.is_open ? undefined : 'closed'}>{exit.is_open ? 'given' : 'stopped'}</td>
            <td>{highestOf(exit.category) === 0 ? 'none' : times(highestOf(exit.category))}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
