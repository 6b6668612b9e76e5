import type { Route } from '@core/policy';
import type { MarketShare } from '@core/runtime';
import type { Store } from '@core/store';
import { tokenRouteOf } from '@core/vault';
import type { DebtWatch } from '../liquidation/debtWatch.ts';
import type { MarketShares } from '../runner/marketShares.ts';
import { locks, type Task } from '../runner/task.ts';
import type { Wake } from '../runner/wake.ts';
import { grantBatchConsent, grantConsent, orderConsent } from '../signers/consentForm.ts';
import type { PriceSigners } from '../signers/priceSigners.ts';
import { signatureQuorum } from '../signers/signatureQuorum.ts';
import { BatchSender } from '../transactions/batchSender.ts';
import { advanceDueTask, advancePositionsTask, advanceUnlistedTask } from './advancePositions.ts';
import { DuePositions } from './duePositions.ts';
import { GrantAuthorizer } from './grantAuthorizer.ts';
import { type Authorizer, type AuthorizerDependencies, OrderAuthorizer } from './orderAuthorizer.ts';
import { type DriverOptions, PositionDriver } from './positionDriver.ts';
import { PositionRecorder, type RecorderOptions } from './positionRecorder.ts';
import { type BookOptions, bookReader } from './readBook.ts';
import { RefusedCalls, type RefusedCallsOptions } from './refusedCalls.ts';
import { PositionStep, type StepDependencies } from './step.ts';

type OwnDependency = 'steps' | 'feed' | 'due' | 'authorizer' | 'batches' | 'recorder' | 'readBook' | 'refusedCalls';

export type PositionTaskOptions = Omit<StepDependencies, OwnDependency> &
  Omit<AuthorizerDependencies, 'askPriceSigners' | 'vault'> &
  Omit<RecorderOptions, 'maxOpenAttempts'> &
  Pick<BookOptions, 'venue'> &
  Pick<DriverOptions & RefusedCallsOptions, 'metrics'> & {
    readonly chain: { readonly chainId: number };
    readonly store: Pick<Store, 'steps' | 'positions'>;
    readonly signers: PriceSigners;
    readonly shares: Pick<MarketShares, 'leaseOf'>;
    readonly debts: DebtWatch;
    /** Positions that a tick made due or that changed on chain. */
    readonly wake: Wake;
  };

/** Build the tasks that advance positions, and the check for running steps in a share. */
export function positionTasks(options: PositionTaskOptions): {
  readonly tasks: readonly Task[];
  readonly isBusyIn: (share: MarketShare) => boolean;
} {
  const { store, debts, wake } = options;
  const due = new DuePositions({ positions: store.positions, debts });
  const refusedCalls = new RefusedCalls(options);
  const driver = driverOf(options, due, refusedCalls);
  return {
    isBusyIn: (share) => driver.isBusyIn(share),
    tasks: [
      advanceDueTask({ due, driver, wake }),
      advancePositionsTask({ due, driver }),
      advanceUnlistedTask({ due, driver }),
      measureRefusedCallsTask(refusedCalls),
    ],
  };
}

/** Report the calls that are refused for good, also when no further one is tried. */
function measureRefusedCallsTask(refusedCalls: RefusedCalls): Task {
  return {
    name: 'measureRefusedCalls',
    lock: locks.signer,
    intervalMs: 2_000,
    run: async () => refusedCalls.measure(),
  };
}

/** Build the step of a position and its scheduler. */
function driverOf(options: PositionTaskOptions, due: DuePositions, refusedCalls: RefusedCalls): PositionDriver {
  const { chain, store, shares, sender, orders, venue, policy, logger } = options;
  const { debts, signers, venueDomain, breaker, route } = options;
  const { vault } = chain.contracts;
  const quorum = { signers, domain: { chainId: chain.chainId, vault } };
  const batches = new BatchSender(options);
  const step = new PositionStep({
    ...options,
    steps: store.steps,
    feed: debts,
    authorizer: routedAuthorizer(route, {
      fill: new GrantAuthorizer({
        askAlone: signatureQuorum(grantConsent, quorum),
        askTogether: signatureQuorum(grantBatchConsent, quorum),
        sender,
        batches,
        domain: quorum.domain,
        logger,
      }),
      direct: new OrderAuthorizer({
        askPriceSigners: signatureQuorum(orderConsent, quorum),
        sender,
        orders,
        breaker,
        vault,
        venueDomain,
        logger,
      }),
    }),
    batches,
    refusedCalls,
    recorder: new PositionRecorder({ ...options, maxOpenAttempts: policy.execution.maxOpenAttempts }),
    readBook: bookReader({ venue, feed: debts, policy, route }),
    due,
  });
  return new PositionDriver({ ...options, step, due, leaseOf: (marketId) => shares.leaseOf(marketId) });
}

/** Authorise each order on the route of its position. */
function routedAuthorizer(route: Route, authorizers: Readonly<Record<Route, Authorizer>>): Authorizer {
  return {
    authorize: (current, action, lease) =>
      authorizers[tokenRouteOf(route, current.record.venueTokenId)].authorize(current, action, lease),
  };
}
