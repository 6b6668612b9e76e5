import { Prisma } from '../generated/prisma/client.ts';

/**
 * Classes of SQLSTATE that report a fault of the server or a conflict with its other users, not of the statement: no
 * connection, rolled back for others, out of resources, stopped by an operator, system error; and Prisma's class of
 * servers that it cannot reach.
 */
const transientClasses: ReadonlySet<string> = new Set(['08', '40', '53', '57', '58', 'P1']);
/** `lock_not_available`; Prisma: no free connection, and a transaction that could not start or outlived its limit. */
const transientCodes: ReadonlySet<string> = new Set(['55P03', 'P2024', 'P2028']);
/** Failures of the connection itself, as the system names them. */
const connectionCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);
/** Errors of the driver, which have no code. */
const driverTexts: readonly string[] = [
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
  'Query read timeout',
];

/** True when the database failed rather than the statement: the same work may be done again later. */
export function isDatabaseFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === null) return driverTexts.some((text) => error.message.includes(text));
  if (connectionCodes.has(code) || transientCodes.has(code)) return true;
  return code.length === 5 && transientClasses.has(code.slice(0, 2));
}

/** Return the code of an error: the SQLSTATE also where Prisma replaces it by a code of its own. */
function codeOf(error: Error): string | null {
  const cause = error instanceof Prisma.PrismaClientKnownRequestError ? adapterCauseOf(error) : null;
  if (typeof cause?.originalCode === 'string') return cause.originalCode;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function adapterCauseOf(error: Prisma.PrismaClientKnownRequestError): { readonly originalCode?: unknown } | null {
  const adapterError = error.meta?.['driverAdapterError'];
  const cause = adapterError instanceof Error ? adapterError.cause : null;
  return typeof cause === 'object' ? cause : null;
}
