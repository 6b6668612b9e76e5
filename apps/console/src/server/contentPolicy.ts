import type { PageConfig } from '../pageConfig.ts';

/** Directives that are the same for every page. */
const base = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
] as const;

/** Return the content security policy of the console: its own server, the service with its sockets, and the chain. */
export function consolePolicyOf({ apiUrl, rpcUrl }: Pick<PageConfig, 'apiUrl' | 'rpcUrl'>): string {
  const api = new URL(apiUrl).origin;
  const sources = ["'self'", api, api.replace(/^http/, 'ws'), new URL(rpcUrl).origin];
  return [...base, `connect-src ${sources.join(' ')}`].join('; ');
}

/** Content security policy of the exit page. The user enters the address of a node, so any host is allowed. */
export const exitPolicy = [...base, 'connect-src http: https:'].join('; ');
