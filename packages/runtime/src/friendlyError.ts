/** A failure the reader can fix: its message says how, and it is printed without a stack. */
export class FriendlyError extends Error {
  override readonly name = 'FriendlyError';
}
