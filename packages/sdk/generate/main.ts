import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { errorsText } from './errorsText.ts';
import { eventsText } from './eventsText.ts';
import { resourcesText } from './resourcesText.ts';
import { routesText } from './routesText.ts';
import { vaultInterfaceText } from './vaultInterfaceText.ts';

/**
 * Generated part of the client: types from the OpenAPI document, methods from the route table, codes from the error
 * table, events from the event table, calls of a user from the vault's interface. With `--check` nothing is written and
 * a difference fails.
 */
const files: Readonly<Record<string, string>> = {
  'resources.ts': resourcesText(),
  'routes.ts': routesText(),
  'errors.ts': errorsText(),
  'events.ts': eventsText(),
  'vaultInterface.ts': vaultInterfaceText(),
};

const folder = new URL('../src/generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
const isCheck = process.argv.includes('--check');
for (const [name, body] of Object.entries(files)) {
  const file = new URL(name, folder);
  const text = `// Written by packages/sdk/generate/main.ts; do not edit.\n${body}`;
  if (!isCheck) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`packages/sdk/src/generated/${name} is not what the tables say; run the script gen\n`);
    process.exitCode = 1;
  }
}
