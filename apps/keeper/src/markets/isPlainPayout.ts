/** True when one outcome pays all, or both pay the same: what a won market and a void one report. */
export function isPlainPayout(numerators: readonly bigint[]): boolean {
  const [yes, no, ...more] = numerators;
  if (yes === undefined || no === undefined || more.length > 0) return false;
  return yes === no ? yes > 0n : yes === 0n || no === 0n;
}
