import { resetState } from '@core/devnet/reset';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';

/** Deletes what the stopped stack keeps. */
export async function reset({ host }: Context): Promise<Answer> {
  const { hadState, text } = await resetState(host.environment);
  return { value: { had_state: hadState }, text };
}
