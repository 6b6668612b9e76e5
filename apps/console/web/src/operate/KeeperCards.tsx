import type { ExitFacts, KeeperFacts, KeeperFigures, TaskFacts } from '../../../src/operateMessage.ts';
import { useMarkets } from '../markets/useMarkets.ts';
import { times } from '../money.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Figure } from '../parts/Figure.tsx';

const seconds = (milliseconds: number | null): string =>
  milliseconds === null ? '–' : `${(milliseconds / 1_000).toFixed(1)} s`;

/** Table of the keeper's jobs with the time since their last success, silent ones first. */
export function TasksCard({ tasks }: { readonly tasks: readonly TaskFacts[] }) {
  const sorted = tasks.toSorted((first, second) => Number(second.is_silent) - Number(first.is_silent));
  return (
    <section className="card" aria-labelledby="tasks">
      <h2 id="tasks">Keeper tasks</h2>
      <DataTable name="Tasks and their ages" heads={['Task', 'Age', 'Every', 'State']} numberHeads={['Age', 'Every']}>
        {sorted.map((task) => (
          <tr key={task.name} data-task={task.name}>
            <td translate="no">{task.name}</td>
            <td data-live="true" className="number">
              <Figure>{seconds(task.silence_ms)}</Figure>
            </td>
            <td className="number">
              <Figure>{seconds(task.interval_ms)}</Figure>
            </td>
            <td data-live="true" className={task.is_silent ? 'closed' : undefined}>
              {task.is_silent ? 'silent' : 'running'}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

interface WorkCardProps {
  readonly figures: KeeperFigures | null;
  readonly keeper: Omit<KeeperFacts, 'address'> | null;
}

/** Pending work of the keeper. */
export function WorkCard({ figures, keeper }: WorkCardProps) {
  const textOf = (name: keyof KeeperFigures): string => String(figures?.[name] ?? 'unknown');
  const unseen = keeper?.unseen_markets ?? [];
  return (
    <section className="card" aria-labelledby="due">
      <h2 id="due">Due now</h2>
      <dl>
        <Fact name="Debts followed" id="followed">
          {textOf('followedDebts')}
        </Fact>
        <Fact name="Due for liquidation" id="due-liquidation">
          {textOf('dueLiquidations')}
        </Fact>
        <Fact name="Due before market close">{textOf('dueHardExits')}</Fact>
        <Fact name="Due for an unwind">{textOf('dueUnwinds')}</Fact>
        <Fact name="Stuck positions (total)">{textOf('unwindAlerts')}</Fact>
        <Fact name="Positions without a stored quote">{textOf('unknownQuotes')}</Fact>
        <Fact name="Positions without a listed market">{textOf('unlistedPositions')}</Fact>
        <Fact name="Markets without data">
          {keeper === null ? 'unknown' : unseen.length === 0 ? 'none' : unseen.join(', ')}
        </Fact>
        <Fact name="Indexed up to block">{textOf('indexedBlock')}</Fact>
        <Fact name="Heartbeat" id="heartbeat">
          {keeper === null ? 'unknown' : `${seconds(keeper.heartbeat_age_ms)} ago`}
        </Fact>
      </dl>
    </section>
  );
}

/** Duration of forced sales, and the maximum leverage that follows. */
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
          'Forced sales (24 h)',
          '95 % within',
          'Exit time for leverage',
          'Quotes',
          'Highest leverage offered now',
        ]}
      >
        {exits.map((exit) => (
          <tr key={exit.category} data-exit={exit.category}>
            <td>{exit.category}</td>
            <td data-live="true">
              <Figure>{String(exit.sale_count)}</Figure>
            </td>
            <td data-live="true">
              <Figure>{seconds(exit.p95_ms)}</Figure>
            </td>
            <td data-live="true">
              <Figure>{`${exit.exit_seconds} s`}</Figure>
            </td>
            <td data-live="true" className={exit.is_open ? undefined : 'closed'}>
              {exit.is_open ? 'open' : 'stopped'}
            </td>
            <td translate="no">{highestOf(exit.category) === 0 ? 'none' : times(highestOf(exit.category))}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
