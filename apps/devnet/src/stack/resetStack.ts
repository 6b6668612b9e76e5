import { existsSync, rmSync } from 'node:fs';
import { removeEmbeddedPostgres } from '@core/store';
import { endLeftoverNode } from './chain/anvilNode.ts';
import { nodeFileOf } from './chain/chainFolder.ts';
import { dropStackDatabase } from './stackDatabase.ts';
import type { StateFolder } from './state/stateFolder.ts';

/**
 * Delete the state of a stack: chain, venue, database, keys, ports. Logs and compiled modules stay. The files by which
 * a start resumes are deleted first, so that a killed reset leaves nothing to resume.
 *
 * @param databaseServerUrl Server of the database when it is not in the folder.
 * @returns False when there was nothing.
 */
export async function resetStack(folder: StateFolder, databaseServerUrl: string | null): Promise<boolean> {
  const hadState = existsSync(folder.chain) || existsSync(folder.database);
  rmSync(folder.deployment, { force: true });
  if (databaseServerUrl !== null) await dropStackDatabase(databaseServerUrl, folder);
  await removeEmbeddedPostgres(folder.postgres);
  await endLeftoverNode(nodeFileOf(folder.chain));
  const essentials = [folder.chain, folder.venue, folder.database, folder.secrets, folder.tokenKeys];
  const keys = [folder.quoteSignerKey, folder.keeperKey, folder.venueKeys, ...folder.priceSignerKeys];
  for (const place of [...essentials, ...keys, folder.choices, folder.stack]) {
    rmSync(place, { recursive: true, force: true });
  }
  return hadState;
}
