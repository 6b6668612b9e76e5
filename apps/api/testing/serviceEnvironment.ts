import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LocalAccount } from '@core/contracts/local';
import { apiEnvironment, type LocalWorld, type ProgramEnvironment } from '@core/world';
import { rotatedTokenKeys, writeTokenKeyFile } from '../src/operate/tokenKeyFile.ts';

/** Settings of one process of the service, secrets in files; with Redis when `TEST_REDIS_URL` names one. */
export async function serviceEnvironment(
  world: LocalWorld,
  parameters: {
    readonly folder: string;
    readonly databaseUrl: string;
    readonly quoteSigner: LocalAccount;
    readonly port?: number;
    readonly metricsPort?: number;
  },
): Promise<ProgramEnvironment> {
  const { folder, quoteSigner, ...options } = parameters;
  const quoteSignerKeyFile = path.join(folder, 'signer.key');
  const tokenKeysFile = path.join(folder, 'tokens.json');
  await writeFile(quoteSignerKeyFile, quoteSigner.privateKey, { mode: 0o600 });
  writeTokenKeyFile(tokenKeysFile, rotatedTokenKeys(null));
  const redisUrl = process.env['TEST_REDIS_URL'] ?? null;
  return apiEnvironment(world, { ...options, redisUrl, quoteSignerKeyFile, tokenKeysFile });
}
