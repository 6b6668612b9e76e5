import { type KeyboardEvent, useId, useState } from 'react';
import { useMarkets } from '../markets/useMarkets.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { paletteEntries } from './paletteEntries.ts';

interface CommandPaletteProps {
  readonly onGo: (to: string) => void;
  readonly onClose: () => void;
}

/** Dialog that opens a page or a market by its name. */
export default function CommandPalette({ onGo, onClose }: CommandPaletteProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const entries = paletteEntries(text, useMarkets().data ?? []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const entry = entries[index];
    if (event.key === 'Enter' && entry !== undefined) onGo(entry.to);
    if (step === undefined || entries.length === 0) return;
    event.preventDefault();
    setIndex((index + step + entries.length) % entries.length);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Page or market"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${index}`}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label="Results" className="palette">
        {entries.map((entry, position) => (
          <button
            key={entry.to}
            id={`${id}-${position}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={position === index}
            className="plain"
            onClick={() => onGo(entry.to)}
          >
            <span>{entry.text}</span>
            {entry.keys === null ? null : <kbd>{entry.keys}</kbd>}
          </button>
        ))}
      </div>
      {entries.length === 0 ? <p className="hint">Nothing has this name.</p> : null}
    </Dialog>
  );
}
