import type { Market } from '@core/sdk';
import { useState } from 'react';
import { Dialog } from '../parts/Dialog.tsx';
import { Opening } from './Opening.tsx';
import type { OpeningControl } from './useOpening.ts';

/** Dialog that confirms an opening. It can be closed at any time without losing a signature or a transaction. */
export function OpeningDialog({ opening, market }: { readonly opening: OpeningControl; readonly market: Market }) {
  const [isHidden, setHidden] = useState(false);
  if (isHidden) {
    return (
      <button type="button" className="quiet" onClick={() => setHidden(false)}>
        Continue opening
      </button>
    );
  }
  const title = opening.state?.stage === 'filled' ? 'Your position' : 'Confirm your position';
  return (
    <Dialog title={title} onClose={() => setHidden(true)}>
      <Opening opening={opening} market={market} />
    </Dialog>
  );
}
