/**
 * Return the target of a redirect, null for any other answer. No call follows one: the method would change, and the
 * credential would be left behind or go to a stranger. A page gets status 0 and no target.
 */
export function redirectOf({ status, headers }: Pick<Response, 'status' | 'headers'>): string | null {
  const target = headers.get('location');
  return status === 0 || (status > 300 && status < 309 && target !== null) ? (target ?? 'another address') : null;
}
