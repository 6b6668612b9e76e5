import type { ServerError } from './serverMessages.ts';

/** A request as a fault sees it. */
export interface Statement {
  /** Name of the program that sends it. */
  readonly program: string;
  /** Texts of the statements, also of those that were prepared before. */
  readonly texts: readonly string[];
}

/**
 * Outcome of a request that a fault disturbs: the server refuses it with an error, its session is cut before or after
 * it runs, or its answer leaves the server later.
 */
export type Disturbance =
  | { readonly kind: 'refuse'; readonly error: ServerError }
  | { readonly kind: 'cut'; readonly isExecuted: boolean }
  | { readonly kind: 'delay'; readonly delayMs: number };

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Return a statement that fails with an error, and its transaction with it. */
export const failing = ({ code, message }: ServerError): string =>
  `DO ${quoted(`BEGIN RAISE EXCEPTION USING ERRCODE = ${quoted(code)}, MESSAGE = ${quoted(message)}; END`)}`;
