import type { SessionSettings } from './session.ts';

/** State of a session, read in a later statement than the one that set its settings. */
export interface SessionState {
  readonly settings: SessionSettings;
  /** True when one process of the server answered both statements. */
  readonly isOneProcess: boolean;
  readonly isReadOnly: boolean;
  readonly isStandby: boolean;
  /** Schema in which unqualified names are created; null when the search path names none that exists. */
  readonly schema: string | null;
}

/** Schema that Prisma's statements name. */
const ownSchema = 'public';
const poolerFix = 'connect to PostgreSQL itself, or set the pooler to session mode and let it keep settings';

/**
 * Return the first premise of the service that a session does not meet, with the one thing to do; null when it meets
 * all.
 * @param ownSettings Settings that were set.
 */
export function brokenPremiseOf(state: SessionState, ownSettings: SessionSettings): string | null {
  if (!state.isOneProcess) return `session: statements of one connection go to several processes: ${poolerFix}`;
  for (const [name, setting] of Object.entries(ownSettings)) {
    const current = state.settings[name];
    if (current !== setting) return `${name} is ${current ?? 'unknown'} after it was set to ${setting}: ${poolerFix}`;
  }
  if (state.isStandby) return 'recovery: the server is a standby and takes no writes: set DATABASE_URL to the primary';
  if (state.isReadOnly) {
    return 'default_transaction_read_only is on: reset it with ALTER DATABASE or ALTER ROLE, and in DATABASE_URL';
  }
  if (state.schema !== ownSchema) {
    const first = state.schema ?? 'no schema that exists';
    return `search_path begins with ${first}: put ${ownSchema} first, in DATABASE_URL or with ALTER ROLE`;
  }
  return null;
}
