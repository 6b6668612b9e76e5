export { giveBrowserWallet } from './browserWallet.ts';
