import { z } from 'zod';

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text as `0x${string}`);
const account = z.object({
  address,
  privateKey: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .transform((text) => text as `0x${string}`),
});

/** The line of JSON the chain's process prints when everything is deployed. */
const readySchema = z.object({
  rpcUrl: z.url(),
  deployment: z.object({
    chainId: z.number().int(),
    deploymentBlock: z.string(),
    contracts: z.object({
      vault: address,
      pool: address,
      usdc: address,
      conditionalTokens: address,
      exchange: address,
    }),
    venueDomain: z.object({ name: z.string(), version: z.string() }),
    roles: z.object({
      owner: account,
      quoteSigner: account,
      priceSigner: account,
      keeper: account,
      oracle: account,
      venueOperator: account,
      venueFeeRecipient: account,
      treasury: account,
      lp: account,
      alice: account,
      bob: account,
      carol: account,
      dave: account,
      erin: account,
      makers: z.array(account),
      takers: z.array(account),
    }),
  }),
});

export type Deployment = z.infer<typeof readySchema>['deployment'];

/** The deployment in the chain's output, or null while it is not printed yet. */
export function deploymentIn(output: string): Deployment | null {
  for (const line of output.split('\n')) {
    if (!line.startsWith('{"rpcUrl"')) continue;
    try {
      return readySchema.parse(JSON.parse(line)).deployment;
    } catch (error) {
      // The line may be cut off while it is being written.
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }
  return null;
}
