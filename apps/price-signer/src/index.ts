export { readEnv } from './env.ts';
export { signerMetrics } from './http/signerMetrics.ts';
export { type PriceSigner, startPriceSigner } from './startPriceSigner.ts';
