import { basePath, codesOf, type RouteDefinition, routes } from '@core/wire';
import { document, type Operation, type Parameter } from './document.ts';
import { commentOf, typeText } from './typeText.ts';

/** Generate the route table and the request and response types of each route. */
export function routesText(): string {
  const named: ReadonlyArray<readonly [string, RouteDefinition]> = Object.entries(routes);
  const rows = named.map(([name, route]) => {
    const facts = [`method: '${route.method}'`, `path: '${route.path}'`, `throttle: '${route.throttle}'`];
    return `  ${name}: { ${facts.join(', ')} },`;
  });
  const types = named.map(([name, route]) => {
    const operation = document.paths[`${basePath}${route.path}`]?.[route.method.toLowerCase()];
    if (operation === undefined) throw new Error(`the document has no ${name}`);
    return operationText(name, route, operation);
  });
  const texts = [rows.join('\n'), types.join('\n')];
  const resources = [...new Set(texts[1]?.replaceAll(/\/\*\*.*?\*\//g, '').match(/\b[A-Z]\w+\b/g))]
    .filter((word) => isComponent(word))
    .toSorted();
  return `import type { ${resources.join(', ')} } from './resources.ts';

/** Path prefix of every route under the origin of a service. */
export const basePath = '${basePath}';

/** Route table of the service: method, path and throttle. */
export const routes = {
${texts[0]}
} as const;

/** Request, response and error codes of each route. */
export interface Operations {
${texts[1]}
}
`;
}

const isComponent = (word: string): boolean => word in document.components.schemas;

function operationText(name: string, route: RouteDefinition, operation: Operation): string {
  const inner = '    ';
  const ofKind = (kind: Parameter['in']): string => {
    const members = operation.parameters
      .filter((parameter) => parameter.in === kind)
      .map((parameter) => {
        const mark = parameter.required ? '' : '?';
        const member = `${inner}  readonly ${parameter.name}${mark}: ${queryType(parameter)};`;
        return `${commentOf(parameter, `${inner}  `)}${member}`;
      });
    return members.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${members.join('\n')}\n${inner}}`;
  };
  const body = operation.requestBody?.content['application/json'].schema;
  const answer = operation.responses[String(route.response.status)]?.content['application/json'].schema ?? {};
  const codes = codesOf(route).map((code) => `'${code}'`);
  return `  /** ${operation.summary}. */
  readonly ${name}: {
    readonly path: ${ofKind('path')};
    readonly query: ${ofKind('query')};
    readonly body: ${body === undefined ? 'undefined' : typeText(body, inner)};
    readonly answer: ${typeText(answer, inner)};
    readonly code: ${codes.join(' | ')};
  };`;
}

/** Return the type of a query parameter. A comma-separated list becomes an array; its description names the keys. */
function queryType({ name, description, schema }: Parameter): string {
  const keys = /^Comma-separated list of: (.+)$/.exec(description ?? '')?.[1];
  if (name !== 'expand' || keys === undefined) return typeText(schema);
  return `readonly (${keys
    .split(', ')
    .map((key) => `'${key}'`)
    .join(' | ')})[]`;
}
