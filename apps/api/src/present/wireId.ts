/** IDs on the wire may carry a fixed lead-in before their type prefix; the database knows them without it. */
export function wireIdOf(id: string, idNamespace: string): string {
  return idNamespace === '' ? id : `${idNamespace}_${id}`;
}

/** Back from the wire; null when the lead-in is not this environment's, which answers like an unknown ID. */
export function storedIdOf(wireId: string, idNamespace: string): string | null {
  if (idNamespace === '') return wireId;
  const lead = `${idNamespace}_`;
  return wireId.startsWith(lead) ? wireId.slice(lead.length) : null;
}
