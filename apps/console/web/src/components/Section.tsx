import type { ReactNode } from 'react';

interface SectionProps {
  /** Name of the component, and of its file in `parts` if it has one. */
  readonly name: string;
  readonly children: ReactNode;
  /** True for a component that pages show outside of cards. */
  readonly isOnPage?: boolean;
}

/** Component with all its states. */
export function Section({ name, children, isOnPage = false }: SectionProps) {
  return (
    <section className={isOnPage ? undefined : 'card'} data-part={name} aria-labelledby={`part-${name}`}>
      <h2 id={`part-${name}`}>{name}</h2>
      <div>{children}</div>
    </section>
  );
}

interface CaseProps {
  /** State in words, such as `loading`. */
  readonly of: string;
  readonly children: ReactNode;
}

/** State of a component. */
export function Case({ of, children }: CaseProps) {
  return (
    <div data-case={of}>
      <p className="hint">{of}</p>
      <div>{children}</div>
    </div>
  );
}
