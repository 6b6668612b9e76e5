import { useState } from 'react';
import { ApiDrawer } from '../drawer/ApiDrawer.tsx';
import { showToast } from '../live/toasts.ts';
import { Boundary, Failure } from '../parts/Boundary.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { HistoryProgress } from '../parts/HistoryProgress.tsx';
import { Case, Section } from './Section.tsx';
import { hash, longText } from './samples.ts';

const dialogs = [
  { title: 'Close position', text: 'Sold at the next bid.' },
  { title: 'Dialog with long text', text: Array.from({ length: 12 }, () => longText).join(' ') },
] as const;

const whole = { from: 1_000n, to: 84_000n };
const history = { logs: [], whole, unread: [{ from: 1_000n, to: 41_999n }], failure: null, revision: 1 } as const;

const toastKinds = [
  { kind: 'plain', text: 'Sale requested. It is sold at the next bid.' },
  { kind: 'good', text: 'Position opened.', positionId: 'sample' },
  { kind: 'bad', text: longText },
] as const;

/** Components above the page: dialog, menu, drawer, notifications. */
export function OverlaySections() {
  const [shown, setShown] = useState<(typeof dialogs)[number] | null>(null);
  return (
    <>
      <Section name="Dialog">
        <div className="row">
          {dialogs.map((dialog) => (
            <button key={dialog.title} type="button" onClick={() => setShown(dialog)}>
              {`Open: ${dialog.title}`}
            </button>
          ))}
        </div>
        {shown === null ? null : (
          <Dialog title={shown.title} onClose={() => setShown(null)}>
            <p>{shown.text}</p>
            <button type="button" className="wide" onClick={() => setShown(null)}>
              Sell now
            </button>
          </Dialog>
        )}
      </Section>
      <Section name="Boundary">
        <Boundary>
          <Failure error={new Error('no text')} reset={() => undefined} />
        </Boundary>
      </Section>
      <HistorySection />
      <Section name="Toasts">
        <div className="row">
          {toastKinds.map((toast) => (
            <button key={toast.kind} type="button" onClick={() => showToast(toast)}>
              {`Show: ${toast.kind}`}
            </button>
          ))}
        </div>
      </Section>
      <Section name="Menu">
        <div className="account">
          <details>
            <summary>Open the menu</summary>
            <ul>
              <li>
                <button type="button">First wallet</button>
              </li>
              <li>
                <button type="button" disabled>
                  Disabled wallet
                </button>
              </li>
            </ul>
          </details>
        </div>
      </Section>
      <Section name="Drawer">
        <Case of="with a request">
          <ApiDrawer action="Deposit" actionCode={{ curl: `curl '${hash}'`, code: `await pool.deposit('${hash}');` }} />
        </Case>
        <Case of="empty">
          <ApiDrawer action="Withdrawal" actionCode={null} />
        </Case>
      </Section>
    </>
  );
}

function HistorySection() {
  return (
    <Section name="HistoryProgress">
      {[true, false].map((isReading) => (
        <Case key={String(isReading)} of={isReading ? 'reading' : 'with a gap'}>
          <HistoryProgress
            state={{ ...history, isReading }}
            onStop={() => undefined}
            onResume={() => undefined}
            missing="Losses in them are not listed."
          />
        </Case>
      ))}
    </Section>
  );
}
