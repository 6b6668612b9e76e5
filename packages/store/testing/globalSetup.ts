export { shareTestServer as default } from './createTestDatabase.ts';
