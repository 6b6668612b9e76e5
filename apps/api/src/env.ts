import { readFileSync } from 'node:fs';
import { type PolicyConfig, policyDefaults } from '@core/policy';
import { getAddress, type Hex, isHex } from 'viem';
import { z } from 'zod';
import type { ApiConfig } from './config.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an EVM address')
  .transform((text) => getAddress(text));
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** True for a scheme and host as a browser writes them: lower case, no path, no default port. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}

/** Environment of the service. Files hold the secrets, so that no list of processes shows them. */
const envSchema = z.object({
  PORT: port.default(8080),
  METRICS_PORT: port.optional(),
  ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  DATABASE_URL: z.string().min(1),
  RPC_URL: z.url(),
  CHAIN_ID: z.coerce.number().int().positive(),
  VAULT_ADDRESS: address,
  POOL_ADDRESS: address,
  USDC_ADDRESS: address,
  VENUE_URL: z.url(),
  /** Market socket of the venue; derived from VENUE_URL when left out. */
  VENUE_MARKET_SOCKET_URL: z.string().optional(),
  /** Origin of spot prices and game states; the venue's when left out. */
  REFERENCE_URL: z.url().optional(),
  /** Origin whose clock is followed; the machine's own clock when left out. */
  CLOCK_URL: z.url().optional(),
  /** File with the quote signer's private key: 0x and 64 hexadecimal digits. */
  QUOTE_SIGNER_KEY_FILE: z.string().min(1),
  /** File with the JSON Web Key Set of the user tokens; the first key signs. */
  TOKEN_KEYS_FILE: z.string().min(1),
  QUOTE_WINDOW_SECONDS: z.coerce.number().int().min(1).max(600).optional(),
  ID_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]*$/)
    .default(''),
  /** Addresses whose X-Forwarded-For is believed, with commas between. */
  TRUST_PROXY: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((part) => part !== '')),
  /** Origins whose scripts may call the interface from a browser, with commas between. */
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(z.string().refine(isOrigin, 'must be origins like https://shop.example'))),
  QUOTE_CREATION_ENABLED: flag.default(true),
  PARTIAL_OPEN_ENABLED: flag.default(true),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  NODE_ENV: z.string().default('production'),
  CRASH_POINT: z.enum(['after_reserve', 'before_answer']).optional(),
});

/** Settings of one process. */
export interface ApiEnv {
  readonly config: ApiConfig;
  readonly policy: PolicyConfig;
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly poolAddress: `0x${string}`;
  readonly venueUrl: string;
  readonly venueMarketSocketUrl: string;
  readonly referenceUrl: string;
  readonly clockUrl: string | null;
  readonly signerKey: Hex;
  readonly tokenKeys: unknown;
  readonly logLevel: string;
}

/** Settings, or one line for every variable at fault; no line shows a value. */
export type EnvReading =
  | { readonly kind: 'env'; readonly env: ApiEnv }
  | { readonly kind: 'faulty'; readonly problems: readonly string[] };

/** Reads and checks the environment. @throws Error when a file it names cannot be read. */
export function readEnv(environment: Readonly<Record<string, string | undefined>>): EnvReading {
  const parsed = envSchema.safeParse(environment);
  if (!parsed.success) {
    return {
      kind: 'faulty',
      problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    };
  }
  return { kind: 'env', env: settingsOf(parsed.data) };
}

function settingsOf(env: z.output<typeof envSchema>): ApiEnv {
  const windowSeconds = env.QUOTE_WINDOW_SECONDS ?? policyDefaults.quote.windowSeconds;
  return {
    config: configOf(env),
    policy: { ...policyDefaults, quote: { ...policyDefaults.quote, windowSeconds } },
    databaseUrl: env.DATABASE_URL,
    rpcUrl: env.RPC_URL,
    poolAddress: env.POOL_ADDRESS,
    venueUrl: env.VENUE_URL,
    venueMarketSocketUrl:
      env.VENUE_MARKET_SOCKET_URL ?? `${env.VENUE_URL.replace(/^http/, 'ws').replace(/\/$/, '')}/ws/market`,
    referenceUrl: env.REFERENCE_URL ?? env.VENUE_URL,
    clockUrl: env.CLOCK_URL ?? null,
    signerKey: readKey(env.QUOTE_SIGNER_KEY_FILE),
    tokenKeys: JSON.parse(readFileSync(env.TOKEN_KEYS_FILE, 'utf8')),
    logLevel: env.LOG_LEVEL,
  };
}

function configOf(env: z.output<typeof envSchema>): ApiConfig {
  return {
    port: env.PORT,
    metricsPort: env.METRICS_PORT ?? null,
    environment: env.ENVIRONMENT,
    idNamespace: env.ID_NAMESPACE,
    trustProxy: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS,
    chainId: env.CHAIN_ID,
    contracts: { vault: env.VAULT_ADDRESS, usdc: env.USDC_ADDRESS },
    switches: {
      isQuoteCreationEnabled: env.QUOTE_CREATION_ENABLED,
      isPartialOpenEnabled: env.PARTIAL_OPEN_ENABLED,
    },
    marketListAgeMs: 250,
    // A process that can be told to die is a test's, never a customer's.
    crashPoint: env.NODE_ENV === 'test' ? (env.CRASH_POINT ?? null) : null,
  };
}

function readKey(path: string): Hex {
  const key = readFileSync(path, 'utf8').trim();
  if (!isHex(key) || key.length !== 66)
    throw new Error('QUOTE_SIGNER_KEY_FILE: must hold 0x and 64 hexadecimal digits');
  return key;
}
