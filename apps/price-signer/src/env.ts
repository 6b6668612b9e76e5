import { z } from 'zod';

const hex = (byteLength: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${2 * byteLength}}$`), `must be ${byteLength} bytes in hexadecimal`)
    .transform((text) => text as `0x${string}`);

/** Environment of the price signer's process. Its key and its feed are its own: no other program holds them. */
export const envSchema = z.object({
  PRICE_SIGNER_PORT: z.coerce.number().int().min(0).max(65535).default(4004),
  PRICE_SIGNER_PRIVATE_KEY: hex(32),
  /** Shared with the keeper; at least 16 characters. */
  PRICE_SIGNER_SECRET: z.string().min(16),
  RPC_URL: z.url(),
  CHAIN_ID: z.coerce.number().int().positive(),
  VAULT_ADDRESS: hex(20),
  /** Origin of the venue's catalogue and books. */
  VENUE_URL: z.url(),
  /** Origin of the reference feeds (spot prices, games); the venue's when absent. */
  REFERENCE_URL: z.url().optional(),
  /** The venue's market socket, `ws://…/ws/market`. */
  VENUE_MARKET_SOCKET_URL: z.url(),
  /** Origin of the simulator whose clock is followed; the system clock when absent. */
  CLOCK_URL: z.url().optional(),
  /** How often the whole catalogue is read, in milliseconds. */
  CATALOGUE_INTERVAL_MS: z.coerce.number().int().min(1_000).default(5_000),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
});

export type Env = z.infer<typeof envSchema>;

/** Reads and checks the environment. @throws Error that names every variable that is missing or wrong. */
export function readEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const parsed = envSchema.safeParse(source);
  if (parsed.success) return parsed.data;
  throw new Error(`the environment is not usable: ${z.prettifyError(parsed.error)}`);
}
