export { type PriceSigner, startPriceSigner } from './startPriceSigner.ts';
