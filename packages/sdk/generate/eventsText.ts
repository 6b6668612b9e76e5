import {
  closeCodes,
  type EventDefinition,
  events,
  gateways,
  notifications,
  serverFrames,
  socketBasePath,
  socketProtocol,
  tokenProtocolPrefix,
} from '@core/wire';
import { z } from 'zod';
import { type Schema, typeText } from './typeText.ts';

const schemaOf = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input' }) as Schema;

/** Return the name of a resource type, or the whole type of anything else. */
function dataType(type: string, definition: EventDefinition): string {
  if (type === 'market.updated') return "Partial<Market> & Pick<Market, 'ticker'>";
  if (type === 'notification') return 'Notification';
  const id = z.globalRegistry.get(definition.data)?.id;
  if (id === undefined) throw new Error(`the data of ${type} is no named resource`);
  return id;
}

/** Generate gateways, close codes and the data of every event. */
export function eventsText(): string {
  const table: ReadonlyArray<readonly [string, EventDefinition]> = Object.entries(events);
  const members = table.map(
    ([type, definition]) => `  /** ${definition.summary}. */\n  readonly '${type}': ${dataType(type, definition)};`,
  );
  const ofGateway = (gateway: string): string =>
    table
      .filter(([, definition]) => definition.gateways.some((name) => name === gateway))
      .map(([type]) => `'${type}'`)
      .join(' | ');
  const notices = Object.entries(notifications).map(([code, { params }]) => {
    return `  | { readonly code: '${code}'; readonly message: string; readonly params: ${typeText(schemaOf(params), '  ')} }`;
  });
  const reason = schemaOf(serverFrames.resync_required).properties?.['reason'] ?? {};
  return `import type { Market, Position } from './resources.ts';

/** Path of each gateway under the origin of a service. */
export const gatewayPaths = {
${Object.entries(gateways)
  .map(([name, { path }]) => `  ${name}: '${socketBasePath}${path}',`)
  .join('\n')}
} as const;

/** Gateway of the service. */
export type Gateway = keyof typeof gatewayPaths;

/** Subprotocols with which a browser, which cannot set headers, sends its token. */
export const socketProtocol = '${socketProtocol}';
export const tokenProtocolPrefix = '${tokenProtocolPrefix}';

/** Close codes after which a new connection would fail as well, with the reason. */
export const finalCloseCodes: Readonly<Record<number, string>> = {
${Object.values(closeCodes)
  .filter(({ reconnect }) => !reconnect)
  .map(({ code, reason }) => `  ${code}: '${reason}',`)
  .join('\n')}
};

/** Progress of an opening. */
export type Notification =
${notices.join('\n')};

/** Data of every event. */
export interface EventData {
${members.join('\n')}
}

/** Events of each gateway. */
export interface GatewayEvents {
${Object.keys(gateways)
  .map((name) => `  readonly ${name}: ${ofGateway(name)};`)
  .join('\n')}
}

/** Reason for which a stream could not resume. */
export type ResyncReason = ${typeText(reason)};
`;
}
