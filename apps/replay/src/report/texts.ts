export const introduction = `\
The shipped decisions run over recorded prices, row by row: \`@core/policy\` quotes the maximum leverage and decides
when debt must be repaid, \`@core/position\` and \`@core/pricing\` size and price it. The replay adds only the filling
of orders and the sums. Every row with two prices is an entry on both sides, at the maximum leverage, held to the
end. The first trigger repays the whole debt; an unsold rest is attempted again at every row. All numbers are those
of \`packages/policy/src/defaults.ts\`, except for the exit time, which service measures.

Time of a fill:

- **row**: at the bid of the row that shows the trigger; **one row later**: at that of the next. A row is a minute
  of crypto and two of sport.
- **N s**: the trigger is on the line between two rows, where the spare cover crosses zero or the deadline passes,
  and the sale is N seconds later on the same line. The whole move of the row may also be one jump at any moment of
  it: with probability N / row the sale meets all of it, if that is worse. In sport a move is one event and the
  trigger is that event: the sale always meets all of it.
- **N s, jumps from M c**: the same, and every move of M cents or more between two rows is one jump that the sale
  always meets. Recordings have nothing inside a row: these rows show the sensitivity to the rule above.

The \`live\` book takes the whole size at its best price, as a book that passed the depth gates does for 100 USD; the
haircut of the policy applies at entry. The linear book has λ USD at every cent. The evaporating one has λ ·
min(1, τ/600 s) · 4p(1 − p), a third of it for a minute after a move of ten cents, and nothing for the losing side
in the last 30 s. Venue fees: 7 % of p(1 − p) for crypto and 3 % for sport, as in recorded markets that charge.

Command of this page:`;

export const limits = `\
- Depth through time, anything inside one row, and the final minute: recordings have best prices once a minute or
  two.
- The schedule of a game. Its start is read from its prices: the first move of half a cent after which three of ten
  rows move as well. A stricter rule, a cent in half of the rows, finds some games late: minutes of play then count
  as before the game, and the hard exit of the others comes later. Its figures are among the stress tests; a real
  schedule lies between the two rules.
- Crowding: each position is alone in its book.
- A token whose book lost one side keeps its last other price (crypto); rows without any price are skipped.
- Intervals draw whole hours or whole games. They say nothing about another season or another venue.`;
