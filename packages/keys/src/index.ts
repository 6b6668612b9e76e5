export { addressOfKey, type KeySource, keySourceOf, keyUrl } from './keySource.ts';
export { observedSigner } from './observedSigner.ts';
export { openSigner } from './openSigner.ts';
