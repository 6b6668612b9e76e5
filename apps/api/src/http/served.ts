import type { Clock } from '@core/runtime';
import type { AdmissionStore, LimitStore, Store } from '@core/store';
import type { RouteDefinition, RouteName } from '@core/wire';
import type { Request, Response } from 'express';
import type { CallerDirectory } from '../auth/callerDirectory.ts';
import type { Refusal, UntypedHandler, UntypedReservingHandler } from './call.ts';
import type { Overload } from './overload.ts';
import type { ParsedCall } from './readCall.ts';
import type { BodyLimits } from './requestBody.ts';

/** Dependencies of every request, whatever its route. */
export interface Pipeline {
  readonly store: Pick<Store, 'idempotency'>;
  readonly limits: LimitStore;
  readonly clock: Clock;
  readonly callers: CallerDirectory;
  readonly admission: AdmissionStore;
  readonly overload: Pick<Overload, 'refusalOf' | 'enter'>;
  readonly bodyLimits: BodyLimits;
  /** Read the block up to which the chain is indexed; null before the first. */
  readonly indexedBlock: () => Promise<bigint | null>;
  /** True while another session keeps statements from a table. */
  readonly isLocked: () => boolean;
  /** Hook after a reservation is stored, for tests of crashes. */
  readonly afterReserve: () => void;
  /** Hook before a successful answer is sent, for tests of crashes. */
  readonly beforeAnswer: () => void;
}

/** A route with what answers it. */
export interface ServedRoute {
  readonly name: RouteName;
  readonly route: RouteDefinition;
  readonly handle: UntypedHandler | null;
  /** Parse path and query of a read. */
  readonly parseRead: (request: Request) => ParsedCall | Refusal;
  /** Present in place of `handle` on routes that reserve. */
  readonly handleReserving: UntypedReservingHandler | null;
}

/** One request and its answer. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}
