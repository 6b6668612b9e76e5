import { curlOf, Lev, type LevUser, type SentRequest } from '@core/sdk';
import type { ActionCode } from './ApiDrawer.tsx';

/** Stands for the caller's own token, which is shown nowhere. */
const shownToken = 'LEV_TOKEN';

interface ShownAction {
  readonly act: (user: LevUser) => Promise<unknown>;
  /** The same action as its reader would write it. */
  readonly code: string;
}

/**
 * What the client would send for an action: the very code that does it runs, up to the moment at which its request
 * would leave.
 */
export function requestCodeOf(apiUrl: string, { act, code }: ShownAction): Promise<ActionCode> {
  return new Promise((resolve) => {
    const onRequest = (request: SentRequest): void => resolve({ curl: curlOf(request), code });
    const never = (): Promise<never> => new Promise(() => undefined);
    const user = new Lev({ baseUrl: apiUrl, onRequest, surroundings: { fetch: never } }).asUser(shownToken);
    void act(user);
  });
}
