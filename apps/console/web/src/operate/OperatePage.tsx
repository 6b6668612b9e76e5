import { useQuery } from '@tanstack/react-query';
import { errorText } from '../parts/errorText.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { CapsCard } from './CapsCard.tsx';
import { BreakersCard, GuaranteesCard } from './GuaranteesCard.tsx';
import { ExitsCard, TasksCard, WorkCard } from './KeeperCards.tsx';
import { operationsClient, togetherOf } from './operationsClient.ts';
import { PartnersCard } from './PartnersCard.tsx';

const readAgainMs = 2_000;

/** What an operator at night wants to see: who is silent, what is due, what is stopped, and that the sums are right. */
export function OperatePage() {
  const { config } = useSession();
  const often = { enabled: config.hasOperations, staleTime: 0, refetchInterval: readAgainMs } as const;
  const api = useQuery({ queryKey: ['operate', 'api'], queryFn: () => operationsClient.api(), ...often });
  const tasks = useQuery({ queryKey: ['operate', 'tasks'], queryFn: () => operationsClient.tasks(), ...often });
  const samples = useQuery({
    queryKey: ['operate', 'samples'],
    queryFn: () => operationsClient.keeperSamples(),
    ...often,
  });
  const keeper = togetherOf(api.data?.keepers ?? []);
  if (!config.hasOperations) {
    return <p role="alert">This console does not reach the operations of a service: its own machine’s console does.</p>;
  }
  return (
    <>
      <h1>Operate</h1>
      <Failures of={{ API: api.error, keeper: tasks.error ?? samples.error }} />
      <div className="sides wide">
        <TasksCard tasks={tasks.data ?? []} />
        <div>
          <WorkCard samples={samples.data ?? []} keeper={keeper} />
          <BreakersCard api={api.data ?? null} />
          <GuaranteesCard />
        </div>
      </div>
      <ExitsCard exits={keeper?.exits ?? []} />
      <CapsCard />
      <PartnersCard />
    </>
  );
}

function Failures({ of }: { readonly of: Readonly<Record<string, Error | null>> }) {
  return (
    <div role="status">
      {Object.entries(of).map(([name, error]) =>
        error === null ? null : (
          <p key={name} className="banner">
            The {name} does not say how it is: {errorText(error)}
          </p>
        ),
      )}
    </div>
  );
}
