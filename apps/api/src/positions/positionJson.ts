import type { ListedPosition } from '@core/store';
import type { PositionView } from './observePositions.ts';
import {
  presentClosedRecord,
  presentExpansions,
  presentOpenMoment,
  presentOpenRecord,
  valueView,
} from './presentPosition.ts';

/** JSON that follows from the record alone, without the closing brace. */
interface RecordText {
  readonly kind: 'open' | 'closed';
  readonly text: string;
}

export type PositionJson = (view: PositionView) => string;

/**
 * Return a writer of what `presentPosition` presents, as JSON. The text that follows from the record alone is cached
 * with the record object; the rest is computed for each answer.
 */
export function positionJsonWriter(idNamespace: string): PositionJson {
  const records = new WeakMap<ListedPosition, RecordText>();
  const writeRecord = (view: PositionView): RecordText => {
    const { position } = view;
    const figures = valueView(view);
    const { kind } = figures;
    const wire =
      kind === 'open'
        ? presentOpenRecord(position, figures, idNamespace)
        : presentClosedRecord(position, figures, idNamespace);
    const record = { kind, text: JSON.stringify(wire).slice(0, -1) };
    // Until its end is known a position's leverage is still weighted up to now.
    if (kind === 'open' || position.closedAtMs !== null) records.set(position, record);
    return record;
  };
  return (view) => {
    const { kind, text } = records.get(view.position) ?? writeRecord(view);
    const rest = JSON.stringify(kind === 'open' ? momentOf(view) : presentExpansions(view));
    return rest === '{}' ? `${text}}` : `${text},${rest.slice(1)}`;
  };
}

function momentOf(view: PositionView) {
  const figures = valueView(view);
  return figures.kind === 'open' ? { ...presentOpenMoment(view, figures), ...presentExpansions(view) } : {};
}
