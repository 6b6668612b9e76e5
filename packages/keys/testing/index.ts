export type { LocalHolder } from './holderServer.ts';
export { awsError, gcpError, publishPoint, startAwsKms, startGcpKms, startWeb3Signer } from './localHolders.ts';
