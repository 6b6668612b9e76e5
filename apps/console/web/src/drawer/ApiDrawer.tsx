import { useState } from 'react';
import { copyText } from '../parts/copyText.ts';

/** Equivalent of an action for a program. */
export interface ActionCode {
  /** Request for a shell. */
  readonly curl: string;
  /** Same action with the libraries of this repository. */
  readonly code: string;
}

interface ApiDrawerProps {
  /** Name of the action, such as `Deposit`. */
  readonly action: string;
  /** Null while the form has no valid input. */
  readonly actionCode: ActionCode | null;
  /** Called when the drawer is opened or closed. */
  readonly onToggle?: (isOpen: boolean) => void;
}

/** Drawer with the request of an action, as curl and as code; closed at first. */
export function ApiDrawer({ action, actionCode, onToggle }: ApiDrawerProps) {
  return (
    <details className="drawer" onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}>
      <summary>{`${action} as curl and code`}</summary>
      {actionCode === null ? (
        <p className="hint">Complete the form to see its request.</p>
      ) : (
        <>
          <CodeBlock name="curl" text={actionCode.curl} />
          <CodeBlock name="code" text={actionCode.code} />
        </>
      )}
    </details>
  );
}

function CodeBlock({ name, text }: { readonly name: string; readonly text: string }) {
  const [note, setNote] = useState('');
  const copy = async (): Promise<void> => {
    setNote((await copyText(text)) ? 'Copied.' : 'The browser denied the copy: select the text.');
  };
  return (
    <section aria-label={name}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long line is scrolled with the keyboard. */}
      <pre translate="no" tabIndex={0} data-code={name}>
        <code>{text}</code>
      </pre>
      <button type="button" className="quiet" onClick={() => void copy()}>
        {`Copy ${name}`}
      </button>
      <span role="status" className="hint">
        {` ${note}`}
      </span>
    </section>
  );
}
