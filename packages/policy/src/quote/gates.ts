import { freshnessGates } from './freshnessGates.ts';
import type { Gate } from './gate.ts';
import { limitGates, sideLeverageGate, sizeGates } from './limitGates.ts';
import { marketGates } from './marketGates.ts';
import { qualityGates } from './qualityGates.ts';
import { serviceGates, sizeFormGates } from './requestGates.ts';

/** Every check of a quote in the documented precedence: the first refusal wins. */
export const quoteGates: readonly Gate[] = [
  // The service, the request's form, the market, its data, its book, the size, what is reserved: the cheapest and most
  // general refusal first, and none that a later one would make pointless.
  ...serviceGates,
  ...marketGates,
  ...freshnessGates,
  ...qualityGates,
  ...sizeFormGates,
  sideLeverageGate,
  ...sizeGates,
  ...limitGates,
];
