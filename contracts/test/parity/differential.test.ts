import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type Address, decodeFunctionResult, encodeDeployData, encodeFunctionData } from 'viem';
import type { Artifact } from '../../local/compilation/readArtifact.ts';
import { deployLocal, type LocalChain, LocalDriver, startLocalChain } from '../../local/index.ts';
import { compileHarness } from '../../tools/differential/compileHarness.ts';
import { hashVectors } from '../../tools/differential/hashVectors.ts';
import { moneyVectors } from '../../tools/differential/moneyVectors.ts';
import { SeededRandom } from '../../tools/differential/seededRandom.ts';
import { stampLineOf, stampOfCheckout } from '../../tools/project/runStamp.ts';

/**
 * I28: TypeScript = Solidity on random vectors, the contract asked in batches. `DIFFERENTIAL_VECTORS` is the number
 * of vectors of each kind: 2,000 unless given, 100,000 in the profile `deep` (package script `test:differential`);
 * `DIFFERENTIAL_SEED` chooses other ones. `DIFFERENTIAL_REPORT` names a file that receives the result as a table.
 */
const vectorsPerKind = Number(process.env['DIFFERENTIAL_VECTORS'] ?? '2000');
const seed = BigInt(process.env['DIFFERENTIAL_SEED'] ?? '1');
const reportPath = process.env['DIFFERENTIAL_REPORT'];
const batchSize = 250;

/** Kind → vectors asked and single answers compared, of the kinds in which every answer was the same. */
const compared = new Map<string, { readonly vectors: number; readonly answers: number }>();

let chain: LocalChain;
let driver: LocalDriver;
let harness: Artifact;
let address: Address;

before(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  harness = compileHarness();
  const data = encodeDeployData({ abi: harness.abi, bytecode: harness.bytecode });
  const receipt = await driver.rpc.send(driver.deployment.roles.owner, { data, gasLimit: 10_000_000n });
  assert.ok(receipt.contractAddress);
  address = receipt.contractAddress;
});

after(async () => {
  if (reportPath !== undefined) writeFileSync(reportPath, reportOf());
  await chain.close();
});

function reportOf(): string {
  const rows = [...compared].map(([kind, { vectors, answers }]) => `| ${kind} | ${vectors} | ${answers} | 0 |`);
  const total = [...compared.values()].reduce((sum, { vectors }) => sum + vectors, 0);
  return [
    '# TypeScript = Solidity',
    '',
    'Written by `pnpm --filter @core/contracts test:differential`. Each vector is answered by the code the vault runs (its',
    'libraries, and the deployed vault and exchange themselves) and by the packages the service runs; every answer must be',
    `equal. Seed ${seed}; ${total} vectors. Numbers are of evenly chosen sizes, with both ends of each type`,
    'more often than by chance. Every `test` run does the same with 2,000 vectors of each kind.',
    '',
    stampLineOf(stampOfCheckout()),
    '',
    '| kind | vectors | answers compared | different |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** The contract's answers, all returned lists one after the other. */
async function ask(functionName: string, args: readonly unknown[]): Promise<readonly unknown[]> {
  const data = encodeFunctionData({ abi: harness.abi, functionName, args });
  const result = await driver.rpc.client.call({ to: address, data });
  assert.ok(result.data);
  return (decodeFunctionResult({ abi: harness.abi, functionName, data: result.data }) as unknown[]).flat();
}

/** Sizes of the batches that make up the vectors of one kind. */
function* batches(): Generator<number> {
  for (let left = vectorsPerKind; left > 0; left -= batchSize) yield Math.min(batchSize, left);
}

describe(`I28: TypeScript = Solidity on ${vectorsPerKind} vectors of each kind, seed ${seed}`, () => {
  for (const [kind, { functionName, row, answer }] of Object.entries(moneyVectors)) {
    it(kind, async () => {
      const random = new SeededRandom(seed);
      let [count, answers] = [0, 0];
      for (const size of batches()) {
        const rows = Array.from({ length: size }, () => row(random));
        const found = await ask(functionName, [rows.flat()]);
        const wanted = rows.map(answer);
        const width = found.length / size;
        for (const [index, figures] of wanted.entries()) {
          assert.deepEqual(found.slice(index * width, (index + 1) * width), figures, `of ${rows[index]}`);
        }
        count += size;
        answers += found.length;
      }
      assert.equal(count, vectorsPerKind);
      compared.set(kind, { vectors: count, answers });
    });
  }

  for (const [kind, makeBatch] of Object.entries(hashVectors)) {
    it(kind, async () => {
      const random = new SeededRandom(seed);
      let [count, answers] = [0, 0];
      for (const size of batches()) {
        const batch = makeBatch(random, size, driver.deployment);
        const found = await ask(batch.functionName, batch.args);
        assert.ok(found.length >= size);
        assert.deepEqual(found, batch.answers);
        count += size;
        answers += found.length;
      }
      compared.set(kind, { vectors: count, answers });
    });
  }
});
