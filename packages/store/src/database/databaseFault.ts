/**
 * Classes of SQLSTATE that say something about the server or its other users and nothing about the statement: no
 * connection, undone for others, out of resources, stopped by an operator, trouble of its system; and the class in
 * which Prisma says that it cannot reach the server.
 */
const passingClasses: ReadonlySet<string> = new Set(['08', '40', '53', '57', '58', 'P1']);
/** `lock_not_available`: others held a lock for too long. */
const passingCodes: ReadonlySet<string> = new Set(['55P03']);
/** Failures of the connection itself, as the system names them. */
const connectionCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);
/** The driver's own, which have no code. */
const driverTexts: readonly string[] = [
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
  'Query read timeout',
];

/** True when the database failed rather than the statement: the same work may be done again later. */
export function isDatabaseFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code === null) return driverTexts.some((text) => error.message.startsWith(text));
  if (connectionCodes.has(code) || passingCodes.has(code)) return true;
  return code.length === 5 && passingClasses.has(code.slice(0, 2));
}
