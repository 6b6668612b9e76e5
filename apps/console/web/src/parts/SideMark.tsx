/** Side of a position or a price: YES in green, NO in red. */
export function SideMark({ side }: { readonly side: 'yes' | 'no' }) {
  return (
    <span translate="no" className="side" data-side={side}>
      {side.toUpperCase()}
    </span>
  );
}
