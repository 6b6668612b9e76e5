import { z } from 'zod';

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const hexKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const partner = z.object({ name: z.string(), apiKey: z.string() });

/** `.lev/stack.json`: everything a program needs to use the running stack. Present exactly while it is ready. */
export const stackFileSchema = z.object({
  apiUrl: z.url(),
  wsUrl: z.string(),
  rpcUrl: z.url(),
  chainId: z.number().int(),
  venueUrl: z.url(),
  databaseUrl: z.string(),
  contracts: z.object({
    vault: address,
    pool: address,
    usdc: address,
    conditionalTokens: address,
    exchange: address,
  }),
  partner: z.object({ apiKey: z.string() }),
  partners: z.array(partner).min(2),
  /** Public test keys: they guard nothing. */
  accounts: z.array(z.object({ name: z.string(), address, privateKey: hexKey })),
  signerAddress: address,
  priceSignerAddress: address,
  consoleUrl: z.url().optional(),
  metricsUrl: z.url(),
  /** Process numbers by name. */
  processes: z.record(z.string(), z.number().int()),
});

export type StackFile = z.infer<typeof stackFileSchema>;
