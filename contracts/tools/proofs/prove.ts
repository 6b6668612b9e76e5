import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { stampLineOf, stampOfCheckout } from '../project/runStamp.ts';

/**
 * Proves the asserts of every contract of this folder with solc's model checker and prints one line per contract, which
 * it also writes to docs/audit/proofs.md. Exits non-zero when anything is violated or not proved, or when a false
 * statement of Control.sol is not refused. No timeout is set: the checker then runs inside this process.
 */
interface SolcMessage {
  readonly errorCode: string;
  readonly formattedMessage: string;
  readonly message: string;
}

const require = createRequire(import.meta.url);
const solc: { compile(input: string): string } = require('solc');
const proofsFolder = 'tools/proofs';
const recordFile = join(contractsRoot, '..', 'docs', 'audit', 'proofs.md');
const provedCode = '9576';
/** A counter-example was found: the same code with `might happen` says that the solver gave up. */
const violatedCode = '6328';
const violatedText = 'Assertion violation happens here';
const controlName = 'Control';
const proofNames = readdirSync(join(contractsRoot, proofsFolder))
  .filter((name) => name.endsWith('Proof.sol'))
  .map((name) => name.slice(0, -'.sol'.length));

/** Every source a file imports, by its path from the contracts folder. */
function sourcesOf(path: string, sources: Map<string, { content: string }> = new Map()) {
  if (sources.has(path)) return sources;
  const content = readFileSync(join(contractsRoot, path), 'utf8');
  sources.set(path, { content });
  for (const [, target] of content.matchAll(/from "(\.[^"]+)"/g)) {
    if (target !== undefined) {
      sourcesOf(relative(contractsRoot, join(contractsRoot, dirname(path), target)), sources);
    }
  }
  return sources;
}

/** The model checker's messages for one proof contract. */
function messagesOf(proofName: string): readonly SolcMessage[] {
  const proofFile = `${proofsFolder}/${proofName}.sol`;
  const modelChecker = {
    engine: 'chc',
    targets: ['assert'],
    contracts: { [proofFile]: [proofName] },
    solvers: ['z3'],
    showProvedSafe: true,
    showUnproved: true,
    showUnsupported: true,
  };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sourcesOf(proofFile)),
    settings: { modelChecker, outputSelection: { '*': { '*': [] } } },
  };
  const output: { readonly errors?: readonly SolcMessage[] } = JSON.parse(solc.compile(JSON.stringify(input)));
  return output.errors ?? [];
}

function isViolation({ errorCode, message }: SolcMessage): boolean {
  return errorCode === violatedCode && message.includes(violatedText);
}

let failed = false;
const rows: string[] = [];
for (const proofName of [...proofNames, controlName]) {
  const startedMs = performance.now();
  const messages = messagesOf(proofName);
  const proved = messages.filter(({ errorCode }) => errorCode === provedCode);
  const violated = messages.filter(isViolation);
  const open = messages.length - proved.length - violated.length;
  rows.push(`| ${proofName}.sol | ${proved.length} | ${violated.length} | ${open} |`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const counts = `${proved.length} proved, ${violated.length} refused, ${open} open, ${seconds} s`;
  process.stdout.write(`${proofName}: ${counts}\n`);
  if (proofName === controlName) {
    const statements = readFileSync(join(contractsRoot, proofsFolder, `${controlName}.sol`), 'utf8').split('assert(');
    if (proved.length > 0 || violated.length !== statements.length - 1) failed = true;
  } else if (proved.length === 0 || proved.length !== messages.length) {
    failed = true;
  }
  const expected = proofName === controlName ? violated : proved;
  for (const message of messages) {
    if (!expected.includes(message)) process.stdout.write(message.formattedMessage);
  }
}
if (!failed) writeFileSync(recordFile, recordText(rows));
process.exitCode = failed ? 1 : 0;

function recordText(lines: readonly string[]): string {
  return [
    '# Proofs',
    '',
    'Written by `pnpm --filter @core/contracts prove`; do not edit. Statements of [the proofs](../../contracts/tools/proofs/README.md)',
    "as solc's model checker judged them: proved for every input, refused by a counter-example, or left open. Everything is",
    'proved but the false statements of `Control.sol`, each of which must be refused.',
    '',
    stampLineOf(stampOfCheckout()),
    '',
    '| contract | proved | refused | open |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
