import { Postgres } from '../outside/postgres/postgres.ts';
import type { Edge } from '../runtime/installEdge.ts';

/** Port of the database in every simulated world. */
const port = 15_432;

/** A migrated database of a real server behind the network of a world. */
export interface WorldDatabase {
  readonly databaseUrl: string;
  readonly postgres: Postgres;
}

/** Serve a database of the given real server. */
export async function openDatabase({ scheduler, network }: Edge, realUrl: string): Promise<WorldDatabase> {
  const postgres = await Postgres.open({ scheduler, network, databaseUrl: realUrl, port });
  const url = new URL(realUrl);
  url.port = String(port);
  return { databaseUrl: url.href, postgres };
}
