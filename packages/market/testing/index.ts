export * from './samples.ts';
export * from './sampleVenueMarket.ts';
