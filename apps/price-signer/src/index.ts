export { type PriceSigner, type PriceSignerOptions, startPriceSigner } from './startPriceSigner.ts';
