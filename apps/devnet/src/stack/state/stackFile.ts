import { z } from 'zod';
import { accountSchema, addressSchema, contractsSchema } from './chainValues.ts';

const partner = z.object({ name: z.string(), apiKey: z.string() });

/**
 * Schema of `.lev/stack.json`: addresses, ports and keys of the running stack. The file exists exactly while it is
 * ready.
 */
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
  /** Public test keys that protect nothing. */
  accounts: z.array(accountSchema.extend({ name: z.string() })),
  /** Accounts with a float that fill grants. */
  fillerAddresses: z.array(addressSchema),
  signerAddress: addressSchema,
  priceSigners: z.array(z.object({ name: z.string(), url: z.url(), address: addressSchema })).min(2),
  consoleUrl: z.url(),
  metricsUrl: z.url(),
  /** Process ids by name; of a restarting program, the id of the process that ended. */
  processes: z.record(z.string(), z.number().int()),
  /** State of each program; one that has ended is `restarting` until it is in service again. */
  programs: z.record(
    z.string(),
    z.object({
      state: z.enum(['running', 'restarting']),
      since: z.iso.datetime(),
      restarts: z.number().int(),
      lastEnd: z.string().nullable(),
    }),
  ),
});

export type StackFile = z.infer<typeof stackFileSchema>;
