import { existsSync, readFileSync } from 'node:fs';
import { FriendlyError } from '@core/runtime';
import { z } from 'zod';
import { accountSchema, contractsSchema } from './state/chainValues.ts';
import { freshCommand } from './state/stateFolder.ts';

/** Result of the deployment, written once per chain. */
const deployedSchema = z.object({
  /** Identifier of the chain: state of another chain is useless. */
  id: z.uuid(),
  /** Hash of the contract sources. */
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
      fillers: z.array(accountSchema).min(1),
    }),
  }),
});

export type Deployed = z.infer<typeof deployedSchema>;
export type Deployment = Deployed['deployment'];

/** Return the deployment, or null before it is finished. @throws FriendlyError when another version wrote it. */
export function readDeployed(file: string): Deployed | null {
  if (!existsSync(file)) return null;
  const parsed = deployedSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new FriendlyError(
    `The stored chain belongs to another version of this project: start from scratch with \`${freshCommand}\`.`,
  );
}

/** Compare the contracts of the chain with this checkout. @throws FriendlyError when they differ. */
export function checkContracts(deployed: Pick<Deployed, 'contractsHash'> | null, contractsHash: string): void {
  if (deployed === null || deployed.contractsHash === contractsHash) return;
  throw new FriendlyError(
    'The contracts of this checkout differ from those of the stored chain: ' +
      `check out its version, or start from scratch with \`${freshCommand}\`.`,
  );
}
