import type { ReactNode } from 'react';
import { Figure } from './Figure.tsx';
import { Sentence } from './Sentence.tsx';

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
  /** Identifier of the figure for tests. */
  readonly id?: string;
  /** Exact amount behind a rounded text, in units of its token. */
  readonly units?: string | bigint;
}

/** Label with its figure, for description lists (`dl`). */
export function Fact({ name, children, id, units }: FactProps) {
  return (
    <div className="fact">
      <dt>
        <Sentence text={name} />
      </dt>
      <dd translate="no" data-figure={id} data-units={units === undefined ? undefined : String(units)}>
        {children}
      </dd>
    </div>
  );
}

interface ChangeProps {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly id?: string;
}

/** Figure before and after an action. */
export function Change({ name, before, after, id }: ChangeProps) {
  return (
    <Fact name={name} {...(id !== undefined && { id })}>
      <Figure>{before}</Figure> → <strong>{after}</strong>
    </Fact>
  );
}
