import { resetState } from '@core/devnet/reset';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';

/** Delete the state of the stopped stack. */
export async function reset({ host }: Context): Promise<Answer> {
  const { hadState, text } = await resetState(host.environment);
  return { value: { had_state: hadState }, text };
}
