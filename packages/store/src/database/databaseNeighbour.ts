import { Client } from 'pg';

const connectionTimeoutMs = 2_000;
/** `cannot_connect_now`: the server starts, stops or recovers. */
const notYetCode = '57P03';

/** Checks of the database when a program starts. */
interface DatabaseNeighbour {
  readonly name: string;
  readonly url: string;
  readonly answers: () => Promise<boolean>;
}

/**
 * The database a program cannot start without. It answers once it takes connections, and also when it refuses this one
 * for good: then the start says why.
 */
export function databaseNeighbour(databaseUrl: string): DatabaseNeighbour {
  return { name: 'the database', url: databaseUrl, answers: () => answers(databaseUrl) };
}

async function answers(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: connectionTimeoutMs });
  // A connection may also break after it was made; the next question is asked on a new one.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // The server's own errors have a SQLSTATE of five characters; the network's have names such as ECONNREFUSED.
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return /^[0-9A-Z]{5}$/.test(code) && code !== notYetCode;
  } finally {
    await client.end();
  }
}
