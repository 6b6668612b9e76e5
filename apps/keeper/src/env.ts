import { z } from 'zod';
import { crashAt } from './effects/crashPoint.ts';
import type { KeeperConfig } from './startKeeper.ts';

const hexOf = (byteLength: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${2 * byteLength}}$`), `must be ${byteLength} bytes in hexadecimal`)
    .transform((text) => text as `0x${string}`);
const address = hexOf(20);
const addresses = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(address).min(1));

/** Environment of the keeper's process. */
export const keeperEnvSchema = z.object({
  DATABASE_URL: z.url(),
  RPC_URL: z.url(),
  CHAIN_ID: z.coerce.number().int().positive(),
  VAULT_ADDRESS: address,
  POOL_ADDRESS: address,
  EXCHANGE_ADDRESS: address,
  CONDITIONAL_TOKENS_ADDRESS: address,
  USDC_ADDRESS: address,
  DEPLOYMENT_BLOCK: z.coerce.bigint().min(0n).default(0n),
  FINALITY_DEPTH: z.coerce.number().int().min(0).default(0),
  EXCHANGE_DOMAIN_NAME: z.string().default('Venue Exchange'),
  EXCHANGE_DOMAIN_VERSION: z.string().default('2'),
  VENUE_URL: z.url(),
  VENUE_MARKET_SOCKET_URL: z.url(),
  /** Origin of spot prices and games; the venue's when absent. */
  REFERENCE_URL: z.url().optional(),
  VENUE_OWNER: z.string().default('keeper'),
  PRICE_SIGNER_URL: z.url(),
  /** Shared with the price signer. */
  PRICE_SIGNER_SECRET: z.string().min(16),
  KEEPER_PRIVATE_KEY: hexOf(32),
  /** Allow-listed oracles with commas between. */
  ORACLE_ADDRESSES: addresses,
  /** Origin of the simulator whose movable clock is followed; unset: the system clock. */
  CLOCK_URL: z.url().optional(),
  KEEPER_METRICS_PORT: z.coerce.number().int().min(0).max(65_535).default(9_464),
  /** `operation:point`: the process kills itself there. For recovery tests only. */
  CRASH_POINT: z.string().optional(),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
});

export type KeeperEnv = z.output<typeof keeperEnvSchema>;

/** Configuration from the environment. @throws Error that names every variable at fault. */
export function configOfEnv(environment: Readonly<Record<string, string | undefined>>): {
  readonly config: KeeperConfig;
  readonly logLevel: KeeperEnv['LOG_LEVEL'];
} {
  const parsed = keeperEnvSchema.safeParse(environment);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
  }
  const env = parsed.data;
  const config: KeeperConfig = {
    databaseUrl: env.DATABASE_URL,
    rpcUrl: env.RPC_URL,
    chainId: env.CHAIN_ID,
    contracts: {
      vault: env.VAULT_ADDRESS,
      pool: env.POOL_ADDRESS,
      exchange: env.EXCHANGE_ADDRESS,
      conditionalTokens: env.CONDITIONAL_TOKENS_ADDRESS,
      usdc: env.USDC_ADDRESS,
    },
    deploymentBlock: env.DEPLOYMENT_BLOCK,
    finalityDepth: env.FINALITY_DEPTH,
    venueDomain: { name: env.EXCHANGE_DOMAIN_NAME, version: env.EXCHANGE_DOMAIN_VERSION },
    venueUrl: env.VENUE_URL,
    marketSocketUrl: env.VENUE_MARKET_SOCKET_URL,
    ...(env.REFERENCE_URL === undefined ? {} : { referenceUrl: env.REFERENCE_URL }),
    venueOwner: env.VENUE_OWNER,
    priceSignerUrl: env.PRICE_SIGNER_URL,
    priceSignerSecret: env.PRICE_SIGNER_SECRET,
    privateKey: env.KEEPER_PRIVATE_KEY,
    oracles: env.ORACLE_ADDRESSES,
    ...(env.CLOCK_URL === undefined ? {} : { clockUrl: env.CLOCK_URL }),
    metricsPort: env.KEEPER_METRICS_PORT,
    reach: crashAt(env.CRASH_POINT),
  };
  return { config, logLevel: env.LOG_LEVEL };
}
