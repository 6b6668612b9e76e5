import type { AlertFacts } from '../../../src/operateMessage.ts';
import { clockText } from '../money.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { Sentence } from '../parts/Sentence.tsx';

interface AlertsCardProps {
  /** Every alert of the catalogue; null before they are judged. */
  readonly alerts: readonly AlertFacts[] | null;
}

/** Alerts whose condition is true now, each with its page of the runbook; all others behind a summary. */
export function AlertsCard({ alerts }: AlertsCardProps) {
  const all = alerts ?? [];
  const active = all.filter(({ sinceMs }) => sinceMs !== null);
  const unknown = all.filter(({ state }) => state === 'unknown');
  return (
    <section className="card" aria-labelledby="alerts">
      <h2 id="alerts">Alerts</h2>
      {active.length > 0 ? null : unknown.length === all.length ? (
        <p className="hint">Unknown: no metrics were read yet.</p>
      ) : (
        <p>✓ No alert is firing or pending.</p>
      )}
      {active.length === 0 ? null : <AlertsTable name="Alerts that are true now" alerts={active} />}
      {all.length === 0 ? null : (
        <details>
          <summary>
            <Sentence text={`All ${all.length} alerts${unknown.length === 0 ? '' : `, ${unknown.length} unknown`}`} />
          </summary>
          <p className="hint">
            The rules are those for Prometheus, judged from the metrics that the console reads. Alerts of programs whose
            metrics it does not read, or has not read yet, are unknown.
          </p>
          <AlertsTable name="All alerts" alerts={all} />
        </details>
      )}
    </section>
  );
}

function AlertsTable({ name, alerts }: { readonly name: string; readonly alerts: readonly AlertFacts[] }) {
  return (
    <DataTable name={name} heads={['Alert', 'State', 'Severity', 'Since', 'Meaning']}>
      {alerts.map((alert) => (
        <tr key={alert.name} data-alert={alert.name}>
          <td>
            <a
              translate="no"
              href={`./operate/runbook/${alert.name}`}
              target="_blank"
              rel="noreferrer"
              title={alert.runbook}
            >
              {alert.name}
            </a>
          </td>
          <td data-live="true" className={alert.state === 'firing' ? 'loss' : undefined}>
            <Sentence text={stateText(alert)} />
          </td>
          <td>{alert.severity}</td>
          <td translate="no">{alert.sinceMs === null ? '–' : clockText(new Date(alert.sinceMs).toISOString())}</td>
          <td>{alert.summary}</td>
        </tr>
      ))}
    </DataTable>
  );
}

/** Return the state in words, for a pending alert with the duration after which it fires. */
function stateText({ state, forMinutes }: AlertFacts): string {
  return state === 'pending' ? `pending, fires after ${forMinutes} min` : state;
}
