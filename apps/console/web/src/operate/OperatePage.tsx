import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clockText } from '../money.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { errorText } from '../parts/errorText.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { readPool } from '../provide/readPool.ts';
import { readLoansNow } from '../provide/readPoolHistory.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { useTitle } from '../useTitle.ts';
import { AlertsCard } from './AlertsCard.tsx';
import { CapsCard } from './CapsCard.tsx';
import { DebtsCard } from './DebtsCard.tsx';
import { FillersCard } from './FillersCard.tsx';
import { BreakersCard, GuaranteesCard } from './GuaranteesCard.tsx';
import { ExitsCard, TasksCard, WorkCard } from './KeeperCards.tsx';
import { OperateLead } from './OperateLead.tsx';
import { PartnersCard } from './PartnersCard.tsx';
import { readDebts } from './readDebts.ts';
import { readVaultSwitches } from './readGuarantees.ts';
import { isWhole, useOperateFeed } from './useOperateFeed.ts';
import { worstOf } from './worstOf.ts';

const chainRefetchMs = 10_000;

/** Read contracts and loans from the chain. One query, so that its reads share requests to the node. */
function useChainFacts() {
  const { config } = useSession();
  return useQuery({
    queryKey: ['operate', 'chain'],
    queryFn: async () => {
      const [vault, pool, loans, debts] = await Promise.all([
        readVaultSwitches(config),
        readPool(config),
        readLoansNow(config),
        readDebts(config),
      ]);
      return { vault, pool, loans, debts };
    },
    enabled: config.hasOperations,
    staleTime: 0,
    refetchInterval: chainRefetchMs,
  });
}

/** Operator page: alerts, silent jobs, due work, active breakers, and invariants. */
export function OperatePage() {
  useTitle('Operate');
  const { config } = useSession();
  const { readings, points, atMs, isSilent } = useOperateFeed(config.hasOperations);
  const { data: chain, error: chainError } = useChainFacts();
  if (!config.hasOperations) {
    return <p role="alert">Operations are available on the machine of the service only.</p>;
  }
  const { api, partners, tasks, figures, fillers, alerts } = readings;
  // Each reading and the chain respond or fail within seconds; cards that fill one by one would move each other.
  if (!isWhole(readings) || (chain === undefined && chainError === null)) {
    return <Loading isSilent={isSilent} />;
  }
  const keeper = worstOf(api.facts?.keepers ?? []);
  const isApiOld = isSilent || api.error !== null;
  const isKeeperOld = isSilent || tasks.error !== null || figures.error !== null;
  const chainFault = chainError === null ? null : errorText(chainError);
  return (
    <>
      <h1>Operate</h1>
      <div role="status">
        {isSilent ? (
          <p className="banner">
            <Sentence text={`No figures since ${clockText(new Date(atMs).toISOString())}.`} />
          </p>
        ) : null}
      </div>
      <Failures
        of={{ API: api.error ?? partners.error, keeper: tasks.error ?? figures.error, 'the chain': chainFault }}
      />
      <Aged isOld={isApiOld || isKeeperOld}>
        <OperateLead api={api.facts} tasks={tasks.facts} figures={figures.facts} points={points} />
      </Aged>
      <Aged isOld={chainError !== null}>
        <DebtsCard debts={chain?.debts ?? null} />
      </Aged>
      <Aged isOld={isSilent}>
        <AlertsCard alerts={alerts.facts} />
        <FillersCard fillers={fillers.facts ?? []} />
      </Aged>
      <div className="sides wide">
        <Aged isOld={isKeeperOld}>
          <TasksCard tasks={tasks.facts ?? []} />
        </Aged>
        <div>
          <Aged isOld={isKeeperOld}>
            <WorkCard figures={figures.facts} keeper={keeper} />
          </Aged>
          <Aged isOld={isApiOld}>
            <BreakersCard api={api.facts} vault={chain?.vault ?? null} />
          </Aged>
          <Aged isOld={chainError !== null}>
            <GuaranteesCard vault={chain?.vault ?? null} />
          </Aged>
        </div>
      </div>
      <Aged isOld={isApiOld}>
        <ExitsCard exits={keeper?.exits ?? []} />
      </Aged>
      <Aged isOld={chainError !== null}>
        {chain === undefined ? null : <CapsCard pool={chain.pool} loans={chain.loans} />}
      </Aged>
      <PartnersCard partners={partners.facts ?? []} />
    </>
  );
}

function Loading({ isSilent }: { readonly isSilent: boolean }) {
  return (
    <div className="skeleton">
      <h1>Operate</h1>
      {isSilent ? <p className="banner">The console does not respond.</p> : <p className="hint">Loading figures …</p>}
      <i />
      <i />
      <i />
    </div>
  );
}

/** Group of figures, marked while their source does not respond. */
function Aged({ isOld, children }: { readonly isOld: boolean; readonly children: ReactNode }) {
  return (
    <div data-old={isOld} className={isOld ? 'stale' : undefined}>
      <Boundary>{children}</Boundary>
    </div>
  );
}

function Failures({ of }: { readonly of: Readonly<Record<string, string | null>> }) {
  return (
    <div role="status">
      {Object.entries(of).map(([name, error]) =>
        error === null ? null : (
          <p key={name} className="banner">
            {`No status from ${name}: ${error}`}
          </p>
        ),
      )}
    </div>
  );
}
