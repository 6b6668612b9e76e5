import { LevError } from '@core/sdk';

/** One sentence for a person about what failed. */
export function errorText(error: unknown): string {
  if (error instanceof LevError) return error.message;
  if (!(error instanceof Error)) return 'Something failed: try again.';
  if (Reflect.get(error, 'code') === 4_001) return 'The wallet refused: nothing was sent.';
  // A library's message carries details in further lines.
  return error.message.split('\n')[0] ?? error.message;
}
