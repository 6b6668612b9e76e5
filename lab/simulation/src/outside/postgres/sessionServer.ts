import type net from 'node:net';
import type { Scheduled, Scheduler } from '../../runtime/scheduler.ts';
import type { ClientRequest } from './clientMessages.ts';
import type { Disturbance } from './disturbance.ts';
import type { ServerError } from './serverMessages.ts';

/** The server as its sessions use it; they themselves are its parameter. */
export interface SessionServer<Session> {
  readonly scheduler: Scheduler;
  readonly realPort: number;
  /** Name of the program behind a connection. */
  programOf(client: net.Socket): string;
  /** Ask the fault, if there is one. */
  disturb(program: string, texts: readonly string[]): Disturbance | null;
  /** Wait until a request is answered or blocked, and let those continue that it released. */
  advance(session: Session): Promise<void>;
  /** Let sessions continue after locks may have fallen. */
  settle(): Promise<void>;
  /** Record which transactions have ended: listeners may have been notified. */
  observeSnapshot(snapshot: string): void;
  /** Record that a statement may have ended other sessions. */
  expectEnds(): void;
  cancelStatement(pid: number): Promise<void>;
  terminate(pid: number): Promise<void>;
  /** Cancel the statement of a session whose process and key a client names. */
  cancelAsClient(pid: number, key: number): Promise<void>;
  remove(session: Session): void;
}

/** A request between its start and its answer. */
export interface Running {
  readonly request: ClientRequest;
  readonly beganMs: number;
  readonly delayMs: number;
  readonly isCutAfter: boolean;
  wait: { readonly id: string; readonly timer: Scheduled | null } | null;
  /** Error in place of the one with which the server reports a cancelled statement. */
  error: ServerError | null;
  isCancelled: boolean;
}
