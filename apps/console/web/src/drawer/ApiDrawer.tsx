import { useState } from 'react';

/** An action as a program does it. */
export interface ActionCode {
  /** The request, for a shell. */
  readonly curl: string;
  /** The same with the libraries of this repository. */
  readonly code: string;
}

interface ApiDrawerProps {
  /** What the action does, such as `Deposit`. */
  readonly action: string;
  /** Null while the form says nothing that could be sent. */
  readonly shown: ActionCode | null;
  /** Called when someone asks for it, or no longer does. */
  readonly onToggle?: (isOpen: boolean) => void;
}

/** Shows what an action of the page sends, as curl and as code. Closed until someone asks for it. */
export function ApiDrawer({ action, shown, onToggle }: ApiDrawerProps) {
  return (
    <details className="drawer" onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}>
      <summary>{action} as curl and code</summary>
      {shown === null ? (
        <p className="hint">Fill the form: this shows what it would send.</p>
      ) : (
        <>
          <CodeBlock name="curl" text={shown.curl} />
          <CodeBlock name="code" text={shown.code} />
        </>
      )}
    </details>
  );
}

function CodeBlock({ name, text }: { readonly name: string; readonly text: string }) {
  const [note, setNote] = useState('');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setNote('Copied.'),
      () => setNote('The browser does not allow it: select the text.'),
    );
  };
  return (
    <section aria-label={name}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long line is scrolled with the keyboard. */}
      <pre tabIndex={0} data-code={name}>
        <code>{text}</code>
      </pre>
      <button type="button" className="quiet" onClick={copy}>
        Copy {name}
      </button>
      <span role="status" className="hint">
        {' '}
        {note}
      </span>
    </section>
  );
}
