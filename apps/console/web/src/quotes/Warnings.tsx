import { Sentence } from '../parts/Sentence.tsx';
/** Warnings about an order, in red. */
export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <div className="danger" role="alert">
      {warnings.map((text) => (
        <p key={text}>
          <Sentence text={text} />
        </p>
      ))}
    </div>
  );
}
