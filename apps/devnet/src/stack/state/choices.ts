import { existsSync, readFileSync } from 'node:fs';
import { FriendlyError, replaceFile } from '@core/runtime';
import { z } from 'zod';
import { type Ports, portNames } from '../ports.ts';
import { freshCommand, type StateFolder } from './stateFolder.ts';

const choicesSchema = z.object({
  /** Value of `LEV_PORT_BASE`; null when it was not set. */
  portBase: z.number().nullable(),
  ports: z.record(z.enum(portNames), z.number()),
  seed: z.string(),
});

/** Choices that later starts reuse, so that addresses in a reader's own files stay valid. */
export type Choices = z.infer<typeof choicesSchema>;

const usualSeed = '42';

function readChoices(folder: StateFolder): Choices | null {
  if (!existsSync(folder.choices)) return null;
  const parsed = choicesSchema.safeParse(JSON.parse(readFileSync(folder.choices, 'utf8')));
  return parsed.success ? parsed.data : null;
}

export function writeChoices(folder: StateFolder, choices: Choices): void {
  replaceFile(folder.choices, `${JSON.stringify(choices)}\n`);
}

/** Return the ports of the last start, or null when there are none or others were requested. */
export function lastPortsOf(folder: StateFolder, portBase: number | null): Ports | null {
  const choices = readChoices(folder);
  return choices === null || (portBase !== null && choices.portBase !== portBase) ? null : choices.ports;
}

/** Return the seed of the venue: that of the first start. @throws FriendlyError when another one is requested. */
export function seedOf(folder: StateFolder, wanted: string | null): string {
  const storedSeed = readChoices(folder)?.seed ?? null;
  if (storedSeed === null || wanted === null || storedSeed === wanted) return storedSeed ?? wanted ?? usualSeed;
  throw new FriendlyError(
    `The stored venue has seed ${storedSeed}: unset LEV_SEED to resume it, or start from scratch with \`${freshCommand}\`.`,
  );
}
