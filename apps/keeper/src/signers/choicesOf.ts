/** Every choice of so many of some things, each in their order. */
export function choicesOf<Thing>(things: readonly Thing[], count: number): readonly (readonly Thing[])[] {
  if (count === 0) return [[]];
  return things.flatMap((thing, index) =>
    choicesOf(things.slice(index + 1), count - 1).map((rest): readonly Thing[] => [thing, ...rest]),
  );
}
