import { existsSync, readFileSync } from 'node:fs';
import { FriendlyError } from '@core/runtime';
import { z } from 'zod';
import { type Ports, portNames } from '../ports.ts';
import { freshCommand, type StateFolder } from './stateFolder.ts';
import { writePrivately } from './writePrivately.ts';

const choicesSchema = z.object({
  /** What `LEV_PORT_BASE` said; null when it was not set. */
  portBase: z.number().nullable(),
  ports: z.record(z.enum(portNames), z.number()),
  seed: z.string(),
});

/** What a start has settled and the next one keeps, so that addresses in a reader's own files go on being right. */
export type Choices = z.infer<typeof choicesSchema>;

const usualSeed = '42';

function readChoices(folder: StateFolder): Choices | null {
  if (!existsSync(folder.choices)) return null;
  const parsed = choicesSchema.safeParse(JSON.parse(readFileSync(folder.choices, 'utf8')));
  return parsed.success ? parsed.data : null;
}

export function writeChoices(folder: StateFolder, choices: Choices): void {
  writePrivately(folder.choices, `${JSON.stringify(choices)}\n`);
}

/** Ports of the last start; null when there are none, or others were asked for. */
export function keptPorts(folder: StateFolder, portBase: number | null): Ports | null {
  const kept = readChoices(folder);
  return kept === null || (portBase !== null && kept.portBase !== portBase) ? null : kept.ports;
}

/** The venue's seed: that of the first start. @throws FriendlyError when another one is asked for. */
export function seedOf(folder: StateFolder, wanted: string | null): string {
  const kept = readChoices(folder)?.seed ?? null;
  if (kept === null || wanted === null || kept === wanted) return kept ?? wanted ?? usualSeed;
  throw new FriendlyError(
    `The kept venue is of seed ${kept}: leave LEV_SEED out to go on with it, or begin anew with \`${freshCommand}\`.`,
  );
}
