import type { PageConfig } from '../pageConfig.ts';

/** What no page of the console may do, whatever it talks to. */
const base = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
] as const;

/** Content policy of the console: this server, the service with its sockets, and the chain. */
export function consolePolicyOf({ apiUrl, rpcUrl }: Pick<PageConfig, 'apiUrl' | 'rpcUrl'>): string {
  const api = new URL(apiUrl).origin;
  const sources = ["'self'", api, api.replace(/^http/, 'ws'), new URL(rpcUrl).origin];
  return [...base, `connect-src ${sources.join(' ')}`].join('; ');
}

/** Content policy of the exit page: its reader names the node, so that any can be asked. */
export const exitPolicy = [...base, 'connect-src http: https:'].join('; ');
