/** IDs on the wire may carry a fixed lead-in before their type prefix; the database knows them without it. */
export function wireIdOf(id: string, idNamespace: string): string {
  return idNamespace === '' ? id : `${idNamespace}_${id}`;
}

/** What an ID of the database looks like. Anything else is not looked up: it answers like an unknown ID. */
const storedId = /^[a-z]{3}_[0-9a-z]{1,64}$/;

/** Back from the wire; null when the form or the lead-in is not this environment's. */
export function storedIdOf(wireId: string, idNamespace: string): string | null {
  const lead = idNamespace === '' ? '' : `${idNamespace}_`;
  if (!wireId.startsWith(lead)) return null;
  const id = wireId.slice(lead.length);
  return storedId.test(id) ? id : null;
}
