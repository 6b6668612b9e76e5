import { errorTable, type Rejection } from '@core/errors';
import { errorEnvelope } from '@core/wire';
import type { Response } from 'express';
import type { Refusal } from './refusal.ts';

/** Sends a refusal: status and envelope of its code. */
export function sendRejection(response: Response, refused: Rejection | Refusal): void {
  const rejection = refused.kind === 'refusal' ? refused.rejection : refused;
  const detail = refused.kind === 'refusal' ? refused.detail : undefined;
  response.locals['code'] = rejection.code;
  response.status(errorTable[rejection.code].status).json(errorEnvelope(rejection, detail));
}

/** Sends bytes that are JSON already. */
export function sendJson(response: Response, status: number, json: string): void {
  response.status(status).type('application/json').send(json);
}
