import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { errorText } from './errorText.ts';

/** Message in place of a part that failed, with a way to show it again. */
export function Failure({ error, reset }: ErrorComponentProps) {
  return (
    <div role="alert" className="banner">
      <p>{`This part could not be shown: ${errorText(error)}`}</p>
      <button type="button" onClick={reset}>
        Try again
      </button>
    </div>
  );
}

const getResetKey = (): string => '';

/** Part of a page whose failure leaves the other parts as they are. */
export function Boundary({ children }: { readonly children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={getResetKey} errorComponent={Failure}>
      {children}
    </CatchBoundary>
  );
}
