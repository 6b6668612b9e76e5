import { z } from 'zod';
import type { VenueSimOptions } from './startVenueSim.ts';

const key = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a private key: 0x and 64 hexadecimal digits')
  .transform((text) => text as `0x${string}`);
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address')
  .transform((text) => text as `0x${string}`);
const keys = z.string().transform((text, context) => {
  const parsed = z
    .array(key)
    .min(1)
    .safeParse(text.split(',').map((part) => part.trim()));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: 'must be private keys with commas between' });
  return z.NEVER;
});

/** Environment of the simulator. Without `RPC_URL` it trades on paper; with it all chain variables are needed. */
export const venueSimEnvSchema = z.object({
  /** Port on 127.0.0.1; 0 takes a free one. */
  VENUE_SIM_PORT: z.coerce.number().int().min(0).max(65_535).default(8090),
  VENUE_SIM_HOST: z.string().default('127.0.0.1'),
  VENUE_SIM_SEED: z.string().default('42'),
  LOG_LEVEL: z.string().default('info'),
  RPC_URL: z.url().optional(),
  CHAIN_ID: z.coerce.number().int().positive().default(31_337),
  USDC_ADDRESS: address.optional(),
  CONDITIONAL_TOKENS_ADDRESS: address.optional(),
  EXCHANGE_ADDRESS: address.optional(),
  EXCHANGE_DOMAIN_NAME: z.string().default('Venue Exchange'),
  EXCHANGE_DOMAIN_VERSION: z.string().default('2'),
  VENUE_OPERATOR_KEY: key.optional(),
  VENUE_ORACLE_KEY: key.optional(),
  VENUE_MAKER_KEYS: keys.optional(),
  VENUE_TAKER_KEYS: keys.optional(),
});

export type VenueSimEnv = z.output<typeof venueSimEnvSchema>;

/**
 * Options from the environment.
 *
 * @throws Error that names every variable at fault.
 */
export function optionsFromEnv(environment: Readonly<Record<string, string | undefined>>): {
  readonly options: VenueSimOptions;
  readonly logLevel: string;
} {
  const parsed = venueSimEnvSchema.safeParse(environment);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
  }
  const env = parsed.data;
  const options: VenueSimOptions = {
    port: env.VENUE_SIM_PORT,
    host: env.VENUE_SIM_HOST,
    seed: env.VENUE_SIM_SEED,
    ...(env.VENUE_MAKER_KEYS === undefined ? {} : { makerKeys: env.VENUE_MAKER_KEYS }),
    ...(env.VENUE_TAKER_KEYS === undefined ? {} : { takerKeys: env.VENUE_TAKER_KEYS }),
  };
  if (env.RPC_URL === undefined) return { options, logLevel: env.LOG_LEVEL };
  const { USDC_ADDRESS: usdc, CONDITIONAL_TOKENS_ADDRESS: conditionalTokens, EXCHANGE_ADDRESS: exchange } = env;
  const { VENUE_OPERATOR_KEY: operatorKey, VENUE_ORACLE_KEY: oracleKey } = env;
  if (!usdc || !conditionalTokens || !exchange || !operatorKey || !oracleKey) {
    throw new Error(
      'RPC_URL also needs USDC_ADDRESS, CONDITIONAL_TOKENS_ADDRESS, EXCHANGE_ADDRESS, VENUE_OPERATOR_KEY and VENUE_ORACLE_KEY',
    );
  }
  return {
    options: {
      ...options,
      rpcUrl: env.RPC_URL,
      chainId: env.CHAIN_ID,
      contracts: { usdc, conditionalTokens, exchange },
      venueDomain: { name: env.EXCHANGE_DOMAIN_NAME, version: env.EXCHANGE_DOMAIN_VERSION },
      operatorKey,
      oracleKey,
    },
    logLevel: env.LOG_LEVEL,
  };
}
