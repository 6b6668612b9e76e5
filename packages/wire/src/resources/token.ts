import { z } from 'zod';
import { isoTime } from '../codecs/formats.ts';

/** Response of POST /tokens: a JWT bound to one wallet of one partner, valid for one hour. */
export const token = z.object({ token: z.string(), expires_at: isoTime }).meta({ id: 'Token' });

export type TokenWire = z.input<typeof token>;
