import { inject } from 'vitest';
import { type RunningStack, type StackPlace, stackAt } from './startStack.ts';

/**
 * Return the stack that the files of a run share; the first call starts it. A file uses accounts of its own, and leaves
 * every program running and every price where it was.
 */
export async function sharedStack(): Promise<RunningStack> {
  const response = await fetch(inject('sharedStackUrl'));
  if (!response.ok) throw new Error(await response.text());
  const place: StackPlace = await response.json();
  return stackAt(place);
}
