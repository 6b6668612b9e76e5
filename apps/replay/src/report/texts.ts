export const introduction = `\
Recorded prices are shown row by row to the decisions that the service ships: \`@core/policy\` quotes the maximum
leverage and says when debt is to be repaid, \`@core/position\` and \`@core/pricing\` size and price it; the replay
holds no formula of its own but the filling of orders and the sums. Every row with two prices is an entry on both
sides, at the maximum leverage, held to the end. At the first trigger the whole debt is repaid; what cannot be sold
is attempted again at every row. The numbers are those of \`packages/policy/src/defaults.ts\`, none was changed for
this page but the exit time, which a measurement sets in service.

When a sale fills:

- **row**: at the bid of the row that shows the trigger; **one row later**: at that of the next. A row is a minute
  of crypto and two of sport.
- **N s**: the trigger is put on the line between two rows, where the spare cover crosses zero or the deadline
  passes, and the sale N seconds later on the same line. Beyond that, the whole move of the row may be one jump at
  any moment of it: with the chance N / row the sale meets all of it, if that is worse. In sport a move is one event
  and the trigger is that event: the sale always meets all of it.
- **N s, jumps from M c**: the same, and every move of M cents or more between two rows is one jump that the sale
  always meets. Nothing inside a row is recorded: these rows say how much hangs on the rule before.

The \`live\` book takes the whole size at its best price, as a book that passed the depth gates does for 100 USD;
the policy's own haircut applies at entry. The linear book has λ USD at every cent. The evaporating one has λ ·
min(1, τ/600 s) · 4p(1 − p), a third of it for a minute after a move of ten cents, and nothing for the losing side
in the last 30 s. Fees of the venue: 7 % of p(1 − p) for crypto, 3 % for sport, as the recorded markets that charge
do.

Command of this page:`;

export const limits = `\
- Depth through time, anything inside one row, and the final minute: recordings show best prices once a minute or
  two.
- The schedule of a game. Its start is read from its prices: the first move of half a cent after which three of ten
  rows move as well. A stricter rule, a cent in half of the rows, finds some games late: minutes of play then count
  as before the game and the hard exit of the others comes later. Its figures stand with the stress tests; the truth
  of a schedule lies between the two rules.
- Crowding: each position is alone in its book.
- A token whose book lost one side is taken to have its other price where it was last seen (crypto); rows without
  any price are waited through.
- Intervals draw whole hours or whole games anew. They say nothing about another season or another venue.`;
