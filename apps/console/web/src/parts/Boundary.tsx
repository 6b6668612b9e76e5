import { Component, type ReactNode } from 'react';
import { errorText } from './errorText.ts';

interface FailureProps {
  readonly error: unknown;
  readonly reset: () => void;
}

/** Message in place of a part that failed, with a way to show it again. */
export function Failure({ error, reset }: FailureProps) {
  return (
    <div role="alert" className="banner">
      <p>{`This part could not be shown: ${errorText(error)}`}</p>
      <button type="button" onClick={reset}>
        Try again
      </button>
    </div>
  );
}

interface BoundaryProps {
  readonly children: ReactNode;
  /** Content in place of a part that failed; by default the failure with a way to show the part again. */
  readonly fallback?: ReactNode;
  /** Record that the part shows: with another one it is shown again. */
  readonly of?: unknown;
}

interface BoundaryState {
  readonly failure: { readonly error: unknown } | null;
  readonly of: unknown;
}

/** Part of a page whose failure leaves the other parts as they are. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps(props: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return Object.is(props.of, state.of) ? null : { failure: null, of: props.of };
  }

  override state: BoundaryState = { failure: null, of: this.props.of };

  override render(): ReactNode {
    const { failure } = this.state;
    const { children, fallback } = this.props;
    if (failure === null) return children;
    return fallback ?? <Failure error={failure.error} reset={() => this.setState({ failure: null })} />;
  }
}
