import type { Codec } from './codecs.ts';
import { textOf } from './codecs.ts';
import { optional, type Setting, withDefault } from './readEnvironment.ts';

/** Called at each named moment at which a process may die. Recovery tests die there; otherwise it does nothing. */
export type Failpoint<Name extends string = string> = (name: Name) => void;

/** End the process at the armed moment as a power cut would: no handler runs, nothing is flushed. Null arms none. */
export function failpointAt<Name extends string>(armed: Name | null): Failpoint<Name> {
  return (name) => {
    if (name === armed) process.kill(process.pid, 'SIGKILL');
  };
}

type FailpointSettings<Name extends string> = {
  readonly NODE_ENV: Setting<string>;
  readonly FAILPOINT: Setting<Name | undefined>;
};

/** The settings that arm a failpoint, for a program's table. */
export function failpointSettings<Name extends string>(names: Codec<Name>): FailpointSettings<Name> {
  return { NODE_ENV: withDefault(textOf(), 'production'), FAILPOINT: optional(names) };
}

/** The armed failpoint. A process that can be made to die is a test's: outside `NODE_ENV=test` none is armed. */
export function armedFailpointOf<Name extends string>(settings: {
  readonly NODE_ENV: string;
  readonly FAILPOINT: Name | undefined;
}): Name | null {
  return settings.NODE_ENV === 'test' ? (settings.FAILPOINT ?? null) : null;
}
