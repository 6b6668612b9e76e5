import { fileURLToPath } from 'node:url';

/** The checkout's own contracts, with a trailing slash. */
export const contractsRoot = fileURLToPath(new URL('..', import.meta.url));
