import { z } from 'zod';
import { accountSchema, addressSchema, contractsSchema } from './chainValues.ts';

const partner = z.object({ name: z.string(), apiKey: z.string() });

/** `.lev/stack.json`: everything a program needs to use the running stack. Present exactly while it is ready. */
export const stackFileSchema = z.object({
  apiUrl: z.url(),
  wsUrl: z.string(),
  rpcUrl: z.url(),
  chainId: z.number().int(),
  venueUrl: z.url(),
  databaseUrl: z.string(),
  contracts: contractsSchema,
  partner: z.object({ apiKey: z.string() }),
  partners: z.array(partner).min(2),
  /** Public test keys: they guard nothing. */
  accounts: z.array(accountSchema.extend({ name: z.string() })),
  signerAddress: addressSchema,
  priceSigners: z.array(z.object({ name: z.string(), url: z.url(), address: addressSchema })).min(2),
  consoleUrl: z.url().optional(),
  metricsUrl: z.url(),
  /** Process numbers by name. */
  processes: z.record(z.string(), z.number().int()),
});

export type StackFile = z.infer<typeof stackFileSchema>;
