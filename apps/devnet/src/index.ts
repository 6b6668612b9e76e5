export { FriendlyError } from './stack/friendlyError.ts';
export { type StackFile, stackFileSchema } from './stack/stackFile.ts';
export { type Stack, type StackOptions, startStack } from './stack/startStack.ts';
export { openStateFolder, type StateFolder } from './stack/stateFolder.ts';
