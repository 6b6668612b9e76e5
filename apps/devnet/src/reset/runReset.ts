import { FriendlyError } from '@core/runtime';
import { readEnv } from '../env.ts';
import { recoverStack } from '../stack/recoverStack.ts';
import { resetStack } from '../stack/resetStack.ts';
import { openStateFolder } from '../stack/state/stateFolder.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Delete the state of the local stack and return a sentence about it. @throws FriendlyError while it runs. */
export async function resetState(
  environment: Variables,
): Promise<{ readonly hadState: boolean; readonly text: string }> {
  const env = readEnv(environment);
  const folder = openStateFolder(env.LEV_STATE_DIR);
  await recoverStack(folder);
  const hadState = await resetStack(folder, env.DATABASE_URL ?? null);
  const text = hadState
    ? `deleted chain, venue, database, keys and positions of ${folder.root}; the next start begins from scratch`
    : `nothing is stored in ${folder.root}`;
  return { hadState, text };
}

/** Run the reset as a program of its own. Returns the exit code. */
export async function runReset(environment: Variables): Promise<number> {
  try {
    const { text } = await resetState(environment);
    process.stdout.write(`  ${text}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof FriendlyError)) throw error;
    process.stderr.write(`  ✖ ${error.message}\n`);
    return 1;
  }
}
