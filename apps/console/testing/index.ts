export { giveBrowserWallet } from './browserWallet.ts';
export { launchBrowser } from './launchBrowser.ts';
