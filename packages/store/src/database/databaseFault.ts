import { Prisma } from '../generated/prisma/client.ts';

/** Cause of a failure that lies with the database, not with the statement. */
export type DatabaseFault =
  | 'unreachable'
  | 'access_refused'
  | 'read_only'
  | 'session_state'
  | 'conflict'
  | 'disk_full'
  | 'out_of_resources'
  | 'stopped'
  | 'system_error';

/**
 * Causes by SQLSTATE, by the first two characters of SQLSTATE, and by the codes of Prisma and of the system. A code
 * precedes its class. Statements of the service are fixed, so `feature_not_supported` reports what a standby cannot do,
 * or a statement that was prepared before a migration.
 */
const faults: Readonly<Record<string, DatabaseFault>> = {
  '08': 'unreachable',
  '0A000': 'read_only',
  '25': 'session_state',
  '25006': 'read_only',
  '28': 'access_refused',
  '3D': 'access_refused',
  '40': 'conflict',
  '53': 'out_of_resources',
  '53100': 'disk_full',
  // Object in use, and lock not available.
  '55006': 'conflict',
  '55P03': 'conflict',
  '57': 'stopped',
  '58': 'system_error',
  // Snapshot too old.
  '72': 'conflict',
  P1: 'unreachable',
  // No free connection in time, and a transaction that could not start or outlived its limit.
  P2024: 'out_of_resources',
  P2028: 'out_of_resources',
  P2034: 'conflict',
  P2037: 'out_of_resources',
  EAI_AGAIN: 'unreachable',
  ECONNABORTED: 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EHOSTDOWN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unreachable',
  EPIPE: 'unreachable',
  ETIMEDOUT: 'unreachable',
};
/** Errors of the driver, which have no code. */
const driverTexts: readonly string[] = [
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
  'Query read timeout',
];

/** Return the cause of a failure of the database; null for a failure of the statement, and for any other error. */
export function databaseFaultOf(error: unknown): DatabaseFault | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  if (code === null) return driverTexts.some((text) => error.message.includes(text)) ? 'unreachable' : null;
  return faults[code] ?? (code.length === 5 ? faults[code.slice(0, 2)] : undefined) ?? null;
}

/** State of a database after a probe: it does not serve this process, it takes no writes, or it serves. */
export type DatabaseHealth = 'unreachable' | 'unwritable' | 'ok';

/** Return the state of a database that refused a probe. A lock of another session is no state of the database. */
export function databaseHealthAfter(error: unknown): DatabaseHealth {
  switch (databaseFaultOf(error)) {
    case 'unreachable':
    case 'access_refused':
    case 'stopped':
      return 'unreachable';
    case 'conflict':
      return 'ok';
    default:
      return 'unwritable';
  }
}

/** Return true when the database failed rather than the statement: the same work may be done again later. */
export const isDatabaseFault = (error: unknown): boolean => databaseFaultOf(error) !== null;

/** Return true when a statement ended because another session had a row locked for too long. */
export const isLockTimeout = (error: unknown): boolean => error instanceof Error && codeOf(error) === '55P03';

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
