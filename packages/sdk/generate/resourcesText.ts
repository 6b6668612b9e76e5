import { document } from './document.ts';
import { commentOf, typeText } from './typeText.ts';

/** Return true for a component that is a resource: errors have a type per code, frames one per event. */
const isResource = (name: string): boolean => !name.endsWith('Error') && name !== 'EventFrame';

/** Generate a type for every resource and request of the OpenAPI document. */
export function resourcesText(): string {
  return Object.entries(document.components.schemas)
    .filter(([name]) => isResource(name))
    .map(([name, schema]) => {
      const text = typeText(schema);
      const head = commentOf(schema);
      return text.startsWith('{')
        ? `\n${head}export interface ${name} ${text}\n`
        : `\n${head}export type ${name} = ${text};\n`;
    })
    .join('');
}
