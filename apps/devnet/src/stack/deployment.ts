import { existsSync, readFileSync } from 'node:fs';
import { FriendlyError } from '@core/runtime';
import { z } from 'zod';
import { accountSchema, contractsSchema } from './state/chainValues.ts';
import { freshCommand } from './state/stateFolder.ts';

/** What the chain's program writes when everything is deployed: once in the life of a chain. */
const deployedSchema = z.object({
  /** Names this chain: what describes another one is of no use to it. */
  id: z.uuid(),
  /** What the contracts were compiled from. */
  contractsHash: z.string(),
  deployment: z.object({
    chainId: z.number().int(),
    deploymentBlock: z.string(),
    contracts: contractsSchema,
    venueDomain: z.object({ name: z.string(), version: z.string() }),
    roles: z.object({
      owner: accountSchema,
      quoteSigner: accountSchema,
      priceSigner: accountSchema,
      secondPriceSigner: accountSchema,
      keeper: accountSchema,
      oracle: accountSchema,
      venueOperator: accountSchema,
      venueFeeRecipient: accountSchema,
      treasury: accountSchema,
      lp: accountSchema,
      alice: accountSchema,
      bob: accountSchema,
      carol: accountSchema,
      dave: accountSchema,
      erin: accountSchema,
      makers: z.array(accountSchema),
      takers: z.array(accountSchema),
    }),
  }),
});

export type Deployed = z.infer<typeof deployedSchema>;
export type Deployment = Deployed['deployment'];

/** What was deployed, or null while nothing is. @throws FriendlyError when it was written by another version. */
export function readDeployed(file: string): Deployed | null {
  if (!existsSync(file)) return null;
  const parsed = deployedSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new FriendlyError(`The kept chain is of another version of this project: begin anew with \`${freshCommand}\`.`);
}

/** @throws FriendlyError when the chain has other contracts than this checkout. */
export function checkContracts(deployed: Pick<Deployed, 'contractsHash'> | null, contractsHash: string): void {
  if (deployed === null || deployed.contractsHash === contractsHash) return;
  throw new FriendlyError(
    'The contracts of this checkout are not those of the kept chain: ' +
      `check out the version the chain is of, or begin anew with \`${freshCommand}\`.`,
  );
}
