import { pino } from 'pino';
import { readEnv } from './env.ts';
import { type PriceSigner, startPriceSigner } from './startPriceSigner.ts';

const env = readEnv(process.env);
const logger = pino({ level: env.LOG_LEVEL, name: 'price-signer' });

let signer: PriceSigner | null = null;
let isClosing = false;
const stop = () => {
  if (isClosing) return;
  isClosing = true;
  void Promise.resolve(signer?.close()).finally(() => process.exit(0));
};
// Before anything starts: a signal that comes early ends the process as cleanly as a late one.
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

signer = await startPriceSigner({
  port: env.PRICE_SIGNER_PORT,
  bearerSecret: env.PRICE_SIGNER_SECRET,
  privateKey: env.PRICE_SIGNER_PRIVATE_KEY,
  rpcUrl: env.RPC_URL,
  chainId: env.CHAIN_ID,
  vault: env.VAULT_ADDRESS,
  venueUrl: env.VENUE_URL,
  marketSocketUrl: env.VENUE_MARKET_SOCKET_URL,
  ...(env.REFERENCE_URL === undefined ? {} : { referenceUrl: env.REFERENCE_URL }),
  ...(env.CLOCK_URL === undefined ? {} : { clockUrl: env.CLOCK_URL }),
  catalogueIntervalMs: env.CATALOGUE_INTERVAL_MS,
  logger,
});
