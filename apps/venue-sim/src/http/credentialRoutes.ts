import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ApiKeys } from '../credentials/apiKeys.ts';

const refuse = (response: Response): void => {
  response.status(401).json({ error: 'Unauthorized/Invalid api key' });
};

/** Where accounts get their credentials. */
export function credentialRoutes(apiKeys: ApiKeys): Router {
  const router = Router();
  router.post('/auth/api-key', async (request, response) => {
    const signer = await apiKeys.signerOf(request.headers);
    if (signer === null) refuse(response);
    else response.json(apiKeys.create(signer));
  });
  router.get('/auth/derive-api-key', async (request, response) => {
    const signer = await apiKeys.signerOf(request.headers);
    const credentials = signer === null ? null : apiKeys.derive(signer);
    if (signer === null) refuse(response);
    else if (credentials === null) response.status(400).json({ error: 'no key was made for this account' });
    else response.json(credentials);
  });
  return router;
}

/** Lets private requests through that carry their credentials; all of them where the venue asks for none. */
export const privateGuard =
  (apiKeys: ApiKeys | null): RequestHandler =>
  (request: Request, response, next) => {
    if (apiKeys === null) {
      next();
      return;
    }
    const [path = ''] = request.originalUrl.split('?');
    const body = typeof request.body === 'string' ? request.body : '';
    const apiKey = apiKeys.apiKeyOf({ method: request.method, path, body, headers: request.headers });
    if (apiKey === null) {
      refuse(response);
      return;
    }
    response.locals['apiKey'] = apiKey;
    next();
  };
