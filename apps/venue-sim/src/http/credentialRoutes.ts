import { type Request, type RequestHandler, type Response, Router, text } from 'express';
import type { ApiKeys, KeyOwner } from '../credentials/apiKeys.ts';
import type { SimVenue } from '../venue/simVenue.ts';

const refuse = (response: Response, error = 'Unauthorized/Invalid api key'): void => {
  response.status(401).json({ error });
};

/** Return the account of the key of a private request; null when the venue requires no credentials. */
export const keyOwnerOf = (response: Response): KeyOwner | null => keyOwners.get(response) ?? null;

/** Account of the key of each private request, by its response. */
const keyOwners = new WeakMap<Response, KeyOwner>();

/** Routes that issue, list and revoke credentials of accounts. */
export function credentialRoutes(venue: SimVenue, apiKeys: ApiKeys): Router {
  const router = Router();
  router.post('/auth/api-key', async (request, response) => {
    const signer = await apiKeys.signerOf(request.headers);
    const credentials = signer === null ? null : apiKeys.create(signer);
    if (signer === null) refuse(response, 'Invalid L1 Request headers');
    else if (credentials === null) response.status(400).json({ error: 'Could not create api key' });
    else response.json(credentials);
  });
  router.get('/auth/derive-api-key', async (request, response) => {
    const signer = await apiKeys.signerOf(request.headers);
    const credentials = signer === null ? null : apiKeys.derive(signer);
    if (signer === null) refuse(response, 'Invalid L1 Request headers');
    else if (credentials === null) response.status(400).json({ error: 'Could not derive api key!' });
    else response.json(credentials);
  });
  const guarded = [text({ type: () => true, limit: '64kb' }), privateGuard(apiKeys)];
  const forOwner =
    (answer: (owner: KeyOwner, request: Request) => unknown): RequestHandler =>
    (request, response) => {
      const owner = keyOwnerOf(response);
      if (owner === null) refuse(response);
      else response.json(answer(owner, request));
    };
  router.get(
    '/auth/api-keys',
    ...guarded,
    forOwner(({ address }) => ({ apiKeys: apiKeys.keysOf(address) })),
  );
  router.delete(
    '/auth/api-key',
    ...guarded,
    forOwner(({ apiKey }) => {
      apiKeys.revoke(apiKey);
      return 'OK';
    }),
  );
  router.get(
    '/auth/ban-status/closed-only',
    ...guarded,
    forOwner(() => ({ closed_only: venue.outages.isClosedOnlyAt(venue.nowMs) })),
  );
  furtherKeyRoutes({ router, apiKeys, guarded, forOwner });
  return router;
}

interface FurtherKeyRoutes {
  readonly router: Router;
  readonly apiKeys: ApiKeys;
  readonly guarded: readonly RequestHandler[];
  readonly forOwner: (answer: (owner: KeyOwner, request: Request) => unknown) => RequestHandler;
}

/** Routes of read-only and builder keys. */
function furtherKeyRoutes({ router, apiKeys, guarded, forOwner }: FurtherKeyRoutes): void {
  router.post(
    '/auth/readonly-api-key',
    ...guarded,
    forOwner(({ address }) => {
      const keys = apiKeys.readonlyKeysOf(address);
      const { apiKey } = apiKeys.further(address, 'readonly', keys.length);
      keys.push(apiKey);
      return { apiKey };
    }),
  );
  router.get(
    '/auth/readonly-api-keys',
    ...guarded,
    forOwner(({ address }) => ({ readonlyApiKeys: apiKeys.readonlyKeysOf(address) })),
  );
  router.delete(
    '/auth/readonly-api-key',
    ...guarded,
    forOwner(({ address }, request) => {
      const keys = apiKeys.readonlyKeysOf(address);
      const index = keys.findIndex((key) => String(request.body).includes(key));
      if (index >= 0) keys.splice(index, 1);
      return index >= 0;
    }),
  );
  router.post(
    '/auth/builder-api-key',
    ...guarded,
    forOwner(({ address }) => {
      const keys = apiKeys.builderKeysOf(address);
      const { apiKey: key, secret, passphrase } = apiKeys.further(address, 'builder', keys.length);
      keys.push(key);
      return { key, secret, passphrase };
    }),
  );
  router.get(
    '/auth/builder-api-key',
    ...guarded,
    forOwner(({ address }) => apiKeys.builderKeysOf(address).map((key) => ({ key }))),
  );
  router.delete(
    '/auth/builder-api-key',
    ...guarded,
    forOwner(({ address }) => {
      apiKeys.builderKeysOf(address).pop();
      return 'OK';
    }),
  );
}

/** Authenticate private requests; accept all when the venue requires no credentials. */
export const privateGuard =
  (apiKeys: ApiKeys | null): RequestHandler =>
  (request: Request, response, next) => {
    if (apiKeys === null) {
      next();
      return;
    }
    const [path = ''] = request.originalUrl.split('?');
    const body = typeof request.body === 'string' ? request.body : '';
    const keyOwner = apiKeys.ownerOf({ method: request.method, path, body, headers: request.headers });
    if (keyOwner === null) {
      refuse(response);
      return;
    }
    keyOwners.set(response, keyOwner);
    next();
  };
