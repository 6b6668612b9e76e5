import { SideMark } from '../parts/SideMark.tsx';
import { type OutcomeNames, outcomeOf } from './marketRows.ts';

interface OutcomeProps {
  readonly market: OutcomeNames;
  readonly side: 'yes' | 'no';
}

/** Name of the outcome that a side buys, where the market has one. */
export function OutcomeName({ market, side }: OutcomeProps) {
  const name = outcomeOf(market, side);
  return name === null ? null : (
    <span translate="no" className="outcome">
      {name}
    </span>
  );
}

/** Side with the name of its outcome. */
export function OutcomeMark(props: OutcomeProps) {
  return (
    <>
      <SideMark side={props.side} /> <OutcomeName {...props} />
    </>
  );
}
