import { Client } from 'pg';

/** Run statements on a connection of their own, as an operator of the database would; the rows of a single one. */
export async function execute(databaseUrl: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
