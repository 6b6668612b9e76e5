import { LevError, ServiceError } from '@core/sdk';
import { isLoadFailure } from '../loadFailure.ts';
import { serviceErrorText } from './serviceErrorText.ts';

/** Return a text for the user about a failure; with `hasButton` without the request of the button beside it. */
export function errorText(error: unknown, hasButton = false): string {
  if (error instanceof ServiceError) return serviceErrorText(error, hasButton);
  if (error instanceof LevError) return error.message;
  if (!(error instanceof Error)) return 'Something failed. Try again.';
  if (Reflect.get(error, 'code') === 4_001) return 'The wallet refused: nothing was sent.';
  if (isLoadFailure(error)) return 'A part of the page could not be loaded. Reload the page.';
  // The message of a library has its details in further lines.
  return error.message.split('\n')[0] ?? error.message;
}
