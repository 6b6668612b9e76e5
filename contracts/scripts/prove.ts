import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * Proves the asserts of every contract in proofs/ with solc's model checker and prints one line per property. Exits
 * non-zero when anything is violated, or not proved. No timeout is set: the checker then runs inside this process.
 */
interface SolcMessage {
  readonly errorCode: string;
  readonly formattedMessage: string;
  readonly message: string;
}

const require = createRequire(import.meta.url);
const solc: { compile(input: string): string } = require('solc');
const contractsFolder = dirname(import.meta.dirname);
/** The checker says once per file that this engine will go; a later compiler needs the other one. */
const deprecatedEngineCode = '3993';
const provedCode = '2961';
const proofNames = readdirSync(join(contractsFolder, 'proofs'))
  .filter((name) => name.endsWith('Proof.sol'))
  .map((name) => name.slice(0, -'.sol'.length));

/** Every source a file imports, by its path from the contracts folder. */
function sourcesOf(path: string, sources: Map<string, { content: string }> = new Map()) {
  if (sources.has(path)) return sources;
  const content = readFileSync(join(contractsFolder, path), 'utf8');
  sources.set(path, { content });
  for (const [, target] of content.matchAll(/from "(\.[^"]+)"/g)) {
    if (target !== undefined) {
      sourcesOf(relative(contractsFolder, join(contractsFolder, dirname(path), target)), sources);
    }
  }
  return sources;
}

/** The model checker's messages for one proof contract. */
function messagesOf(proofName: string): readonly SolcMessage[] {
  const proofFile = `proofs/${proofName}.sol`;
  const modelChecker = {
    // Bounded model checking is complete here: none of these functions has a loop.
    engine: 'bmc',
    targets: ['assert'],
    contracts: { [proofFile]: [proofName] },
    solvers: ['z3'],
    showProvedSafe: true,
    showUnproved: true,
  };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sourcesOf(proofFile)),
    settings: { modelChecker, outputSelection: { '*': { '*': [] } } },
  };
  const output: { readonly errors?: readonly SolcMessage[] } = JSON.parse(solc.compile(JSON.stringify(input)));
  return output.errors ?? [];
}

const only = process.argv[2];
let failed = false;
for (const proofName of proofNames) {
  if (only !== undefined && only !== proofName) continue;
  const startedMs = performance.now();
  const messages = messagesOf(proofName).filter(({ errorCode }) => errorCode !== deprecatedEngineCode);
  const proved = messages.filter(({ errorCode }) => errorCode === provedCode);
  const open = messages.filter(({ errorCode }) => errorCode !== provedCode);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(`${proofName}: ${proved.length} proved, ${open.length} open, ${seconds} s\n`);
  for (const { formattedMessage } of open) process.stdout.write(formattedMessage);
  if (proved.length === 0 || open.length > 0) failed = true;
}
process.exitCode = failed ? 1 : 0;
