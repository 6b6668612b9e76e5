/** Return the address of a text that is an http or https URL without credentials; null for any other text. */
export function webUrlOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' ? href : null;
}
