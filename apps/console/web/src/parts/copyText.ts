/** Copy a text. Resolves with false where the browser denies it, or has no clipboard on pages without HTTPS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
