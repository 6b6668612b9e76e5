import type { Clock } from '@core/runtime';
import type { AdmissionStore, LimitStore, Store } from '@core/store';
import type { RouteDefinition, RouteName } from '@core/wire';
import type { Request, Response } from 'express';
import type { CallerDirectory } from '../auth/callerDirectory.ts';
import type { Refusal, UntypedHandler, UntypedPreparer } from './call.ts';
import type { ParsedCall } from './readCall.ts';

/** What every request needs, whatever its route. */
export interface Pipeline {
  readonly store: Pick<Store, 'idempotency'>;
  readonly limits: LimitStore;
  readonly clock: Clock;
  readonly callers: CallerDirectory;
  readonly admission: AdmissionStore;
  /** Runs when what a request reserves is stored; tests of crashes hook in here. */
  readonly afterReserve: () => void;
  /** Runs just before a successful answer leaves; tests of crashes hook in here. */
  readonly beforeAnswer: () => void;
}

/** A route with what answers it. */
export interface ServedRoute {
  readonly name: RouteName;
  readonly route: RouteDefinition;
  readonly handle: UntypedHandler | null;
  /** What the address of a read says. */
  readonly parseRead: (request: Request) => ParsedCall | Refusal;
  /** In place of a handler, where the one effect of the route is a statement. One of the two is there. */
  readonly prepare: UntypedPreparer | null;
}

/** One request and its answer. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}
