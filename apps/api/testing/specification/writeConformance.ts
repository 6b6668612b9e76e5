import { writeFileSync } from 'node:fs';
import { conformanceTable } from './conformance.ts';
import { promisedItems } from './promises.ts';
import { ProvingTests } from './provingTests.ts';
import { conformanceFile, itemsFile, itemsOfText, keptItems } from './specification.ts';

/** Read the names of the specification again, where its text is at hand, and write the table of clause and test. */
const items = itemsOfText() ?? keptItems();
writeFileSync(itemsFile, `${JSON.stringify(items, null, 2)}\n`);
writeFileSync(conformanceFile, conformanceTable([...items, ...promisedItems], new ProvingTests()));
