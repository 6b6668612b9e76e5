import { rejectionReasonCodes } from '@core/errors';
import { buildOpenApi, events, type RouteDefinition, routes } from '@core/wire';

/** Every name the interface has: fields, params, codes, values of enumerations and headers, from its own document. */
export function interfaceNames(): ReadonlySet<string> {
  const { paths, components } = buildOpenApi();
  const names = new Set<string>([...rejectionReasonCodes, ...Object.keys(events)]);
  collect({ paths, components }, names);
  return names;
}

/** `METHOD /path` of every endpoint, other spellings included. */
export function interfaceRoutes(): ReadonlySet<string> {
  const definitions: readonly RouteDefinition[] = Object.values(routes);
  return new Set(
    definitions.flatMap(({ method, path, aliases }) => [path, ...aliases].map((each) => `${method} ${each}`)),
  );
}

function collect(node: unknown, names: Set<string>): void {
  if (Array.isArray(node)) {
    for (const entry of node) collect(entry, names);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  const { properties, headers, enum: choices, const: constant, name, in: location } = node as Record<string, unknown>;
  for (const key of [...Object.keys(Object(properties)), ...Object.keys(Object(headers))]) names.add(key);
  if (Array.isArray(choices)) for (const choice of choices) names.add(String(choice));
  if (typeof constant === 'string') names.add(constant);
  if (typeof name === 'string' && location !== undefined) names.add(name);
  // What stands in an example is shown, not declared.
  for (const [key, child] of Object.entries(node)) if (!/^examples?$/.test(key)) collect(child, names);
}
