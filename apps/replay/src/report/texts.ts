export const introduction = `\
The shipped decisions run over recorded prices, row by row: \`@core/policy\` quotes the maximum leverage and decides
when debt must be repaid, \`@core/position\` and \`@core/pricing\` size and price it. The replay adds only blocks
and the sums. Every third row of a market, from one that its id fixes, is an entry on both sides where it has two
prices (\`--every\`), and every sixth in the scenarios with another book, size or start. A position has the maximum
leverage and is held to the end. The first trigger repays the whole debt; an unsold rest is attempted again at every
row. All numbers are those of \`packages/policy/src/defaults.ts\`, except for the exit time, which service measures.

Route \`fill\` is the default of a deployment, and of this report:

- Quotes have the slippage of the client, 5 %. Openings and forced sales are grants with the terms that price signers
  sign: \`decideGrant\`, and \`decideGrantOrder\` for their size.
- A block comes every two seconds. Before each one the shipped filler decides by \`decideFill\`, with the books of the
  last block, the second of the next, and its own margin and gas. It rests no tokens. The fill is at its own price,
  which the path of the grant has reached.
- An opening without a fill gets a second grant, then its refund: such a side is quoted and not opened. A forced sale
  without a whole fill gets a second grant too, then the next row is awaited.
- Prices between two rows are on the line between them, in the age and life of a grant too. In sport a move is one
  event, and the prices of a row hold until the next one.

Route \`direct\` stands beside it: orders of the vault at the venue, filled at the asks and bids of the moment.

Time of a fill:

- **row**: at the row that shows the trigger; **one row later**: at the next. A grant starts there, and its fills come
  two to six seconds later. A row is a minute of crypto and two of sport.
- **N s**: the trigger is on the line between two rows, where the spare cover crosses zero or the deadline passes,
  and the sale is N seconds later on the same line. A grant starts so that its path is at its end by then, four seconds
  before, and no sooner than the trigger. The whole move of the row may also be one jump at any moment of
  it: with probability N / row the sale meets all of it, if that is worse. In sport a move is one event and the
  trigger is that event: the sale always meets all of it.
- **N s, jumps from M c**: the same, and every move of M cents or more between two rows is one jump that the sale
  always meets. Recordings have nothing inside a row: these rows show the sensitivity to the rule above.

The \`live\` book takes the whole size at its best price, as a book that passed the depth gates does for 100 USD; the
haircut of the policy applies at entry. The linear book has λ USD at every cent. The evaporating one has λ ·
min(1, τ/600 s) · 4p(1 − p), a third of it for a minute after a move of ten cents, and nothing for the losing side
in the last 30 s. Venue fees: 7 % of p(1 − p) for crypto and 3 % for sport, as in recorded markets that charge.

Command of this page:`;

export const floorsText = `\
The same quotes with liquidations alone are the baseline: no debt is unwound and no hard exit comes. PIRAP reports of
its protection, against such a baseline: final-hour liquidations −6 %, mean maximum drawdown −5 %, frequency of bad
debt +2.4 %, and no worse result of the median user. These are the floors. The last hour ends with the market. Equity
is the worth of the tokens at the mark less the debt, and its drawdown is the fall from an earlier height, while debt
is owed. The result of a user is what came back of all payments, less one.`;

export const limits = `\
- Depth through time, anything inside one row, and the final minute: recordings have best prices once a minute or
  two.
- The schedule of a game. Its start is read from its prices: the first move of half a cent after which three of ten
  rows move as well. A stricter rule, a cent in half of the rows, finds some games late: minutes of play then count
  as before the game, and the hard exit of the others comes later. Its figures are among the stress tests; a real
  schedule lies between the two rules.
- Crowding: each position is alone in its book, and a filler has money for each.
- Fillers: one with the shipped terms, which is never late. Another margin, or no filler, is no part of these figures.
- A token whose book lost one side keeps its last other price (crypto); rows without any price are skipped.
- Intervals draw whole hours or whole games. They say nothing about another season or another venue.`;
