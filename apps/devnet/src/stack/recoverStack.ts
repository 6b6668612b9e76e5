import { endLeftoverPostgres } from '@core/store';
import { endLeftoverNode } from './chain/anvilNode.ts';
import { nodeFileOf } from './chain/chainFolder.ts';
import type { StateFolder } from './state/stateFolder.ts';
import { recoverFolder } from './supervision/runRecord.ts';

/**
 * End everything that a killed start left running: its programs and their servers. Its ports are then free.
 *
 * @returns Names of the ended programs.
 * @throws FriendlyError when a stack runs from this folder.
 */
export async function recoverStack(folder: StateFolder): Promise<readonly string[]> {
  const ended = await recoverFolder(folder);
  await endLeftoverNode(nodeFileOf(folder.chain));
  await endLeftoverPostgres(folder.postgres);
  return ended;
}
