import type { RouteDefinition } from '@core/wire';
import type { Request } from 'express';
import type { Refusal } from './call.ts';
import { type ParsedCall, parseCall } from './readCall.ts';

/** Addresses a route remembers: what its clients ask for again and again. */
const maxKnown = 500;
/** Longer addresses are asked for once. */
const maxLength = 300;
const noBody = Buffer.alloc(0);

/** Parse the reads of one route: what an address means is worked out once, because it says all there is to say. */
export function parsedReads(route: RouteDefinition): (request: Request) => ParsedCall | Refusal {
  const cache = new Map<string, ParsedCall>();
  return (request) => {
    const { originalUrl, params, query } = request;
    const before = cache.get(originalUrl);
    if (before !== undefined) return before;
    const parsed = parseCall(route, { params, query, body: noBody });
    if (parsed.kind === 'refusal' || originalUrl.length > maxLength) return parsed;
    const [oldest] = cache.size >= maxKnown ? cache.keys() : [];
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(originalUrl, parsed);
    return parsed;
  };
}
