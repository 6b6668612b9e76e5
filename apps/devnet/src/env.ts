import { z } from 'zod';
import { FriendlyError } from './stack/friendlyError.ts';

/** Environment of `start`. Everything has a default. */
const envSchema = z.object({
  /** First port; the others follow in the documented order. */
  LEV_PORT_BASE: z.coerce.number().int().min(1_024).max(65_000).optional(),
  /** Folder of everything the stack keeps; `.lev` beside the workspace otherwise. */
  LEV_STATE_DIR: z.string().min(1).optional(),
  /** Seed of the venue's worlds. */
  LEV_SEED: z.string().min(1).default('42'),
  /** A PostgreSQL server to use in place of the embedded one; a database is created in it. */
  DATABASE_URL: z.string().startsWith('postgres').optional(),
});

export type DevnetEnv = z.infer<typeof envSchema>;

/** @throws FriendlyError that names every variable at fault. */
export function readEnv(environment: Readonly<Record<string, string | undefined>>): DevnetEnv {
  const parsed = envSchema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new FriendlyError(`The environment is not usable: ${faults.join('; ')}.`);
}
