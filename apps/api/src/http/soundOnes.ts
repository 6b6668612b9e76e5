/** A report of an item that cannot be read or presented, by its ID. It is left out, and the others are served. */
export type OnPoison = (item: { readonly id: string }, cause: unknown) => void;

/**
 * Present each item by itself. One that cannot be presented is reported and left out, so that it does not keep the
 * others from being shown.
 */
export function soundOnesOf<Item, Shown>(
  items: readonly Item[],
  present: (item: Item) => Shown,
  onPoison: (item: Item, cause: unknown) => void,
): Shown[] {
  return items.flatMap((item) => {
    try {
      return [present(item)];
    } catch (cause) {
      onPoison(item, cause);
      return [];
    }
  });
}
