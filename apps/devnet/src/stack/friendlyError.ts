/** A failure the reader can fix: printed as one line, without a stack. */
export class FriendlyError extends Error {
  override readonly name = 'FriendlyError';
}
