import { useQuery } from '@tanstack/react-query';
import { DataTable } from '../parts/DataTable.tsx';
import { errorText } from '../parts/errorText.ts';
import { operationsClient } from './operationsClient.ts';

const readAgainMs = 10_000;

/** Partners and their keys, to look at: keys are changed at the terminal, where the database can be reached. */
export function PartnersCard() {
  const partners = useQuery({
    queryKey: ['operate', 'partners'],
    queryFn: () => operationsClient.partners(),
    staleTime: 0,
    refetchInterval: readAgainMs,
  });
  return (
    <section className="card" aria-labelledby="partners">
      <h2 id="partners">Partners</h2>
      {partners.isError ? <p role="alert">{errorText(partners.error)}</p> : null}
      <DataTable name="Partners and their keys" heads={['Partner', 'Environment', 'Key', 'Begins', 'State']}>
        {(partners.data ?? []).flatMap(({ name, environment, keys }) =>
          keys.map((key) => (
            <tr key={key.id} data-key={key.id}>
              <td>{name}</td>
              <td>{environment}</td>
              <td>
                <code>{key.id}</code>
              </td>
              <td>
                <code>{key.prefix}…</code>
              </td>
              <td>{key.is_active ? 'active' : 'revoked'}</td>
            </tr>
          )),
        )}
      </DataTable>
      <p className="hint">
        Keys are issued, rotated and revoked at the terminal: <code>lev keys issue</code>, <code>rotate</code>,{' '}
        <code>revoke</code>.
      </p>
    </section>
  );
}
