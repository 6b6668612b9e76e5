import { type DayName, worstDays } from '../days/worstDays.ts';
import type { WorldRequest } from './worldRequest.ts';

/** Return the request of a worst day, on the default route and with a spare node. */
export function dayRequestOf(day: DayName, options: Pick<WorldRequest, 'seed' | 'physics'>): WorldRequest {
  return {
    ...options,
    scenario: 'days',
    day,
    route: 'fill',
    hasSpareNode: true,
    keepers: worstDays[day].keepers,
    fillers: ['shipped'],
    markets: ['crypto'],
    users: 1,
    faults: [],
  };
}
