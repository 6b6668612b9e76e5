import { freshnessGates } from './freshnessGates.ts';
import type { Gate } from './gate.ts';
import { limitGates, offerGate, sizeGates } from './limitGates.ts';
import { marketGates } from './marketGates.ts';
import { qualityGates } from './qualityGates.ts';
import { serviceGates, sizeFormGates } from './requestGates.ts';

/** Every check of a quote in the documented precedence: the first refusal wins. */
export const quoteGates: readonly Gate[] = [
  ...serviceGates,
  ...marketGates,
  ...freshnessGates,
  ...qualityGates,
  ...sizeFormGates,
  offerGate,
  ...sizeGates,
  ...limitGates,
];
