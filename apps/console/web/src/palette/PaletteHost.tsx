import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { pages } from './paletteEntries.ts';

const CommandPalette = lazy(() => import('./CommandPalette.tsx'));

const textFields = 'textarea, select, input:not([type="checkbox"], [type="radio"], [type="range"])';
/** Time between `g` and the letter of a page. */
const sequenceMs = 1_500;

/** Listen to the keys of the page: Ctrl or ⌘ with K opens the palette, `g` and a letter a page. */
export function PaletteHost() {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let gAtMs = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      const { key } = event;
      if (key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        setOpen(true);
        return;
      }
      const isTyping = event.target instanceof HTMLElement && event.target.matches(textFields);
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const page = event.timeStamp - gAtMs < sequenceMs ? pages.find(({ letter }) => letter === key) : undefined;
      gAtMs = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (page !== undefined) void router.navigate({ to: page.to });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [router]);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <CommandPalette
        onClose={() => setOpen(false)}
        onGo={(to) => {
          setOpen(false);
          router.history.push(to);
        }}
      />
    </Suspense>
  );
}
