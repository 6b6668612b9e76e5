import { connect, postgres, runScenario } from './scenario.ts';

/** Run statements whose answers contain numbers that the server chooses. */
async function numbers(): Promise<void> {
  const client = await connect('client');
  const text = 'SELECT pg_current_xact_id()::text AS id, pg_current_snapshot()::text, pg_backend_pid()::text';
  for (const name of ['first', 'second']) await client.query({ name, text });
  const { rows } = await client.query(text);
  await client.query('SELECT $1::text', [rows[0].id]);
}

/** Each part has a transaction id of its own, so that the next ones have more digits. */
const manyParts = `DO $$ BEGIN FOR index IN 1001 .. 13000 LOOP
    BEGIN INSERT INTO counters VALUES (index, 0); EXCEPTION WHEN unique_violation THEN NULL; END;
  END LOOP; END $$`;

await runScenario({
  fewIds: numbers,
  manyIds: async () => {
    await postgres.query(manyParts);
    await numbers();
  },
});
