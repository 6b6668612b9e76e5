import type { ChainAction, Position } from '@core/sdk';
import type { Answer } from './answer.ts';
import { positionText } from './positionText.ts';

/** Yield the steps of an action as answers; the last is the position. */
export async function* stepsOf(action: ChainAction<Position>): AsyncGenerator<Answer> {
  for await (const step of action) {
    if (step.step === 'done') yield { value: step, text: positionText(step.result) };
    else if (step.step === 'send') yield { value: step, text: `sent ${step.hash || 'under an unknown hash'}` };
    else yield { value: step, text: step.step === 'wait' ? 'waiting for the service' : `signing: ${step.step}` };
  }
}
