import { z } from 'zod';

/** Schema of an address as the chain program prints it, typed for viem. */
export const addressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text): `0x${string}` => `0x${text.slice(2)}`);

export const accountSchema = z.object({
  address: addressSchema,
  privateKey: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .transform((text): `0x${string}` => `0x${text.slice(2)}`),
});

/** Schema of the contracts that a program needs. */
export const contractsSchema = z.object({
  vault: addressSchema,
  pool: addressSchema,
  usdc: addressSchema,
  conditionalTokens: addressSchema,
  exchange: addressSchema,
  pairFiller: addressSchema,
});
