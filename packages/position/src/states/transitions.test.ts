import { describe, expect, test } from 'vitest';
import readTransitions from '../../testing/positionTransitions.json' with { type: 'json' };
import {
  closeReasonOf,
  isTerminal,
  type PositionStateName,
  positionStates,
  positionStatusOf,
  positionTransitions,
} from './transitions.ts';

describe('transitions', () => {
  test('are what the tests of the contract read, as the numbers of the states', () => {
    const numberOf = (state: PositionStateName) => String(positionStates.indexOf(state));
    expect(readTransitions).toEqual({
      count: String(positionTransitions.length),
      moves: positionTransitions.map(({ from, move, to }) => ({ move, from: numberOf(from), to: numberOf(to) })),
    });
  });

  test('states and moves are those of the protocol', () => {
    expect(positionStates.indexOf('reverted')).toBe(7);
    expect(positionTransitions).toHaveLength(9);
    expect(positionStates.filter(isTerminal)).toEqual(['closed', 'settled', 'liquidated', 'cancelled', 'reverted']);
    const isLegal = (from: PositionStateName, to: PositionStateName) =>
      positionTransitions.some((transition) => transition.from === from && transition.to === to);
    expect(isLegal('pending', 'open')).toBe(true);
    expect(isLegal('pending', 'closed')).toBe(false);
    expect(isLegal('closed', 'open')).toBe(false);
  });

  test('status follows state, live order, request and payouts', () => {
    const idle = { state: 'open', livePurpose: 'none', isCloseRequested: false, arePayoutsKnown: false } as const;
    expect(positionStatusOf(idle)).toBe('open');
    expect(positionStatusOf({ ...idle, livePurpose: 'unwind' })).toBe('unwinding');
    expect(positionStatusOf({ ...idle, livePurpose: 'liquidate' })).toBe('closing');
    expect(positionStatusOf({ ...idle, isCloseRequested: true })).toBe('closing');
    expect(positionStatusOf({ ...idle, isCloseRequested: true, arePayoutsKnown: true })).toBe('settling');
    expect(positionStatusOf({ ...idle, state: 'reverted' })).toBe('cancelled');
    expect(positionStatusOf({ ...idle, state: 'pending' })).toBe('pending');
    for (const state of ['closed', 'settled', 'liquidated', 'cancelled'] as const) {
      expect(positionStatusOf({ ...idle, state })).toBe(state);
    }
    expect(positionStatusOf({ ...idle, state: 'none' })).toBeNull();
  });

  test('the close reason distinguishes a reverted opening from a cancelled one', () => {
    expect(positionStates.map(closeReasonOf)).toEqual([
      null,
      null,
      null,
      'closed',
      'settled',
      'liquidated',
      'cancelled',
      'reverted',
    ]);
  });
});
