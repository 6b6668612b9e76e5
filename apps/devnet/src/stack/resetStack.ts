import { existsSync, rmSync } from 'node:fs';
import { removeEmbeddedPostgres } from '@core/store';
import { endLeftoverNode } from './chain/anvilNode.ts';
import { nodeFileOf } from './chain/chainFolder.ts';
import { dropStackDatabase } from './stackDatabase.ts';
import type { StateFolder } from './state/stateFolder.ts';

/**
 * Deletes what the stack of this folder keeps: chain, venue, database, keys, ports. Logs and compiled modules stay.
 * What decides whether a later start goes on is deleted first, so that a reset that is killed half-way leaves nothing
 * to go on with.
 * @param databaseServerUrl Where the database is when it is not in the folder.
 * @returns False when there was nothing.
 */
export async function resetStack(folder: StateFolder, databaseServerUrl: string | null): Promise<boolean> {
  const hadState = existsSync(folder.chain) || existsSync(folder.database);
  rmSync(folder.deployment, { force: true });
  if (databaseServerUrl !== null) await dropStackDatabase(databaseServerUrl, folder);
  await removeEmbeddedPostgres(folder.postgres);
  await endLeftoverNode(nodeFileOf(folder.chain));
  const kept = [folder.chain, folder.venue, folder.database, folder.secrets, folder.tokenKeys];
  for (const place of [...kept, folder.quoteSignerKey, folder.choices, folder.stack]) {
    rmSync(place, { recursive: true, force: true });
  }
  return hadState;
}
