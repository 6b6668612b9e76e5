import { z } from 'zod';

/** An address as the chain's process prints it, typed as viem takes it. */
export const addressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text as `0x${string}`);

export const accountSchema = z.object({
  address: addressSchema,
  privateKey: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .transform((text) => text as `0x${string}`),
});

/** The contracts a program needs to use the stack. */
export const contractsSchema = z.object({
  vault: addressSchema,
  pool: addressSchema,
  usdc: addressSchema,
  conditionalTokens: addressSchema,
  exchange: addressSchema,
});
