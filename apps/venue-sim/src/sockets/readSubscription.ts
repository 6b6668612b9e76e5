import type { WebSocket } from 'ws';
import type { z } from 'zod';

/** Parse a subscription frame. Invalid JSON and other frames are rejected on the socket and return null. */
export function readSubscription<Schema extends z.ZodType>(
  schema: Schema,
  { socket, frame }: { readonly socket: WebSocket; readonly frame: string },
): z.output<Schema> | null {
  const parsed = schema.safeParse(jsonOf(frame)).data ?? null;
  if (parsed === null) socket.send('INVALID OPERATION');
  return parsed;
}

const jsonOf = (frame: string): unknown => {
  try {
    return JSON.parse(frame);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};
