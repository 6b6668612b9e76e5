import type { OperateFacts } from '../../../src/operateMessage.ts';
import { DataTable } from '../parts/DataTable.tsx';

/** Read-only list of partners and their keys. Keys are changed with the command line, next to the database. */
export function PartnersCard({ partners }: Pick<OperateFacts, 'partners'>) {
  return (
    <section className="card" aria-labelledby="partners">
      <h2 id="partners">Partners</h2>
      <DataTable name="Partners and their keys" heads={['Partner', 'Environment', 'Key', 'Begins', 'State']}>
        {partners.flatMap(({ name, environment, keys }) =>
          keys.map((key) => (
            <tr key={key.id} data-key={key.id}>
              <td>{name}</td>
              <td>{environment}</td>
              <td>
                <code translate="no">{key.id}</code>
              </td>
              <td>
                <code translate="no">{`${key.prefix}…`}</code>
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
