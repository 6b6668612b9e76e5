import { createPublicClient, http } from 'viem';
import { compileContracts } from '../../../local/compilation/compileContracts.ts';
import { type ReadBackRequest, readBackRequestOf, readBackUsage } from './readBackRequest.ts';
import { readDeployment } from './readDeployment.ts';

/**
 * Reads a deployment back from any RPC and compares it with its parameters file, one line per fact. Exits 0 when all
 * are the same, 1 when one differs, 2 when it was asked wrongly. What the addresses and the creating transactions are
 * is said by an Ignition deployment folder (`--deployment`) or plainly (`--vault` and `--tx`, and `--timelock` and
 * `--timelock-tx` for a governed one; `--pair-filler` for the filler with pairs).
 */
function asked(): ReadBackRequest {
  try {
    return readBackRequestOf(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${readBackUsage}\n`);
    process.exit(2);
  }
}

const { rpcUrl, ...request } = asked();
await compileContracts();
process.stdout.write(`vault      ${request.addresses.vault}\n`);
if (request.addresses.pairFiller !== undefined) process.stdout.write(`filler     ${request.addresses.pairFiller}\n`);
if (request.addresses.timelock !== undefined) process.stdout.write(`timelock   ${request.addresses.timelock}\n`);
const rows = await readDeployment({ client: createPublicClient({ transport: http(rpcUrl) }), ...request });
for (const { name, expected, found, isSame } of rows) {
  process.stdout.write(
    isSame ? `same       ${name}: ${found}\n` : `DIFFERENT  ${name}: ${found}, expected ${expected}\n`,
  );
}
const differences = rows.filter(({ isSame }) => !isSame).length;
process.stdout.write(`${rows.length} facts, ${differences} different\n`);
process.exitCode = differences === 0 ? 0 : 1;
