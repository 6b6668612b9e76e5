import { type FormEvent, useState } from 'react';
import type { Hex } from '../chain/wallet.ts';
import { errorText } from '../parts/errorText.ts';
import { readEnteredKeys } from './enteredKeys.ts';
import type { ExitOwner } from './exitOwner.ts';

interface KeyFormProps {
  readonly owner: ExitOwner;
  readonly onKeys: (keys: readonly Hex[]) => void;
}

/** Form for a position that no log shows. */
export function KeyForm({ owner: { source, address }, onKeys }: KeyFormProps) {
  const [error, setError] = useState<unknown>(null);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setError(null);
    const text = String(new FormData(event.currentTarget).get('entry') ?? '');
    void readEnteredKeys(source, address, text).then(onKeys, setError);
  };
  return (
    <form className="card" onSubmit={submit} aria-label="Add a position">
      <label>
        Position key, or hash of the transaction that created it
        <input name="entry" required autoComplete="off" spellCheck={false} />
      </label>
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
      <button type="submit">Add position</button>
    </form>
  );
}
