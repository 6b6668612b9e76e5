/** Maximum length of a followed chain of causes: libraries wrap an error several times. */
const maxDepth = 8;

/** Return the errors behind an error, the outermost first. */
export function causesOf(error: unknown): readonly object[] {
  const causes: object[] = [];
  for (let node = error; typeof node === 'object' && node !== null && causes.length < maxDepth; ) {
    causes.push(node);
    node = Reflect.get(node, 'cause');
  }
  return causes;
}
