import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LocalDeployment } from '@core/contracts/local';
import { rotatedTokenKeys, writeTokenKeyFile } from '../src/operate/tokenKeyFile.ts';

/** Neighbours of a service process in a test. */
export interface ApiNeighbours {
  /** For the files of secrets. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly deployment: Pick<LocalDeployment, 'chainId' | 'contracts' | 'roles'>;
  readonly venue: { readonly url: string; readonly wsUrl: string };
}

/** Settings of one process of the service, secrets in files; with Redis when `TEST_REDIS_URL` names one. */
export async function apiEnvironment(neighbours: ApiNeighbours): Promise<Record<string, string>> {
  const { folder, databaseUrl, rpcUrl, deployment, venue } = neighbours;
  const { chainId, contracts, roles } = deployment;
  const redisUrl = process.env['TEST_REDIS_URL'];
  const signerFile = path.join(folder, 'signer.key');
  const tokenKeysFile = path.join(folder, 'tokens.json');
  await writeFile(signerFile, roles.quoteSigner.privateKey);
  writeTokenKeyFile(tokenKeysFile, rotatedTokenKeys(null));
  return {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    RPC_URL: rpcUrl,
    CHAIN_ID: String(chainId),
    VAULT_ADDRESS: contracts.vault,
    POOL_ADDRESS: contracts.pool,
    USDC_ADDRESS: contracts.usdc,
    VENUE_URL: venue.url,
    VENUE_MARKET_SOCKET_URL: `${venue.wsUrl}/ws/market`,
    CLOCK_URL: venue.url,
    QUOTE_SIGNER_KEY_FILE: signerFile,
    TOKEN_KEYS_FILE: tokenKeysFile,
  };
}
