/** Long text as a market's question has it. */
export const longText =
  'Will the price of one bitcoin in US dollars, as published by the venue at the close of the last trading day of ' +
  'the year, be above the highest price of any earlier day of that year, weekends and holidays included?';

export const hash = '0x3f1c0de5a7b94e8201f6ab3d9c55e4470f8b2a1d6e9c73b58a40d2f1e6b7c890';
