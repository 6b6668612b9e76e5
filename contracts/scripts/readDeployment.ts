import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Address, createPublicClient, http, isAddress } from 'viem';
import { parseDeploymentParameters } from '../deployment/deploymentParameters.ts';
import { type DeploymentAddresses, readDeployment } from '../deployment/readDeployment.ts';
import { compileContracts } from '../local/compileContracts.ts';

/**
 * Reads a deployment back from any RPC and compares it with its parameters file, one line per fact. Exits 0 when all
 * are the same, 1 when one differs, 2 when it was asked wrongly. What the addresses are is said by an Ignition
 * deployment folder (`--deployment`) or plainly (`--vault`, and `--timelock` for a governed one).
 */
const usage =
  'read-deployment --rpc <url> --parameters <file> (--deployment <folder> | --vault <address> [--timelock <address>]) [--block-range <blocks>]';

const { values } = parseArgs({
  options: {
    rpc: { type: 'string' },
    parameters: { type: 'string' },
    deployment: { type: 'string' },
    vault: { type: 'string' },
    timelock: { type: 'string' },
    'block-range': { type: 'string' },
  },
});

function addressesOf(): DeploymentAddresses | null {
  if (values.deployment === undefined) return addressPair(values.vault, values.timelock);
  const file = JSON.parse(readFileSync(join(values.deployment, 'deployed_addresses.json'), 'utf8')) as Readonly<
    Record<string, string>
  >;
  const of = (name: string) => Object.entries(file).find(([key]) => key.endsWith(`#${name}`))?.[1];
  return addressPair(of('Vault'), of('TimelockController'));
}

function addressPair(vault: string | undefined, timelock: string | undefined): DeploymentAddresses | null {
  if (vault === undefined || !isAddress(vault)) return null;
  if (timelock === undefined) return { vault };
  return isAddress(timelock) ? { vault, timelock: timelock as Address } : null;
}

const addresses = addressesOf();
if (values.rpc === undefined || values.parameters === undefined || addresses === null) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
await compileContracts();
const rows = await readDeployment({
  client: createPublicClient({ transport: http(values.rpc) }),
  addresses,
  expected: parseDeploymentParameters(JSON.parse(readFileSync(values.parameters, 'utf8'))),
  ...(values['block-range'] === undefined ? {} : { blockRange: BigInt(values['block-range']) }),
});
for (const { name, expected, found, isSame } of rows) {
  process.stdout.write(
    isSame ? `same       ${name}: ${found}\n` : `DIFFERENT  ${name}: ${found}, expected ${expected}\n`,
  );
}
const differences = rows.filter(({ isSame }) => !isSame).length;
process.stdout.write(`${rows.length} facts, ${differences} different\n`);
process.exitCode = differences === 0 ? 0 : 1;
