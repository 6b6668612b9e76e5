import { existsSync, readFileSync } from 'node:fs';
import { FriendlyError, privateKey, replaceFile } from '@core/runtime';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Call, Operated, Operations } from './command.ts';

/**
 * Create a file with a private key, readable by its owner only. An existing file is not changed. Only the address is
 * printed.
 * @throws FriendlyError when the file exists and holds no private key.
 */
export async function createRoleKey(_operations: Operations, { args }: Call): Promise<Operated> {
  const [file = ''] = args;
  const isNew = !existsSync(file);
  if (isNew) replaceFile(file, `${generatePrivateKey()}\n`);
  const key = privateKey.read(readFileSync(file, 'utf8').trim());
  if (key === undefined) throw new FriendlyError(`${file} must hold ${privateKey.expects}`);
  return { value: { file, address: privateKeyToAccount(key).address, is_new: isNew } };
}
