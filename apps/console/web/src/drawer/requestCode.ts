import { curlOf, Lev, type LevUser, type SentRequest } from '@core/sdk';
import type { ActionCode } from './ApiDrawer.tsx';

/** Placeholder for the caller's own token, which is never displayed. */
const shownToken = 'LEV_TOKEN';

interface ShownAction {
  readonly act: (user: LevUser) => Promise<unknown>;
  /** Same action in code. */
  readonly code: string;
}

/** Return the request that the SDK would send for an action. The SDK's own code runs up to the moment of sending. */
export function requestCodeOf(apiUrl: string, { act, code }: ShownAction): Promise<ActionCode> {
  return new Promise((resolve) => {
    const onRequest = (request: SentRequest): void => resolve({ curl: curlOf(request), code });
    const never = (): Promise<never> => new Promise(() => undefined);
    const user = new Lev({ baseUrl: apiUrl, onRequest, surroundings: { fetch: never } }).asUser(shownToken);
    void act(user);
  });
}
