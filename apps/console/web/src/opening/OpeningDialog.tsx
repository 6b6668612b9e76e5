import { useState } from 'react';
import { Dialog } from '../parts/Dialog.tsx';
import { Opening, type OpeningProps } from './Opening.tsx';

/** Dialog that confirms an opening. It can be closed at any time without losing a signature or a transaction. */
export function OpeningDialog(props: OpeningProps) {
  const { opening } = props;
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
      <Opening {...props} />
    </Dialog>
  );
}
