/** The setup this process was started with. */
export function readSetup(): Readonly<Record<string, unknown>> {
  const setup: unknown = JSON.parse(process.argv[2] ?? '{}');
  return typeof setup === 'object' && setup !== null ? { ...setup } : {};
}

/**
 * Reports that this process serves, and answers the bench's questions until it is to close.
 *
 * @param answers What a process can be asked beside its processor time, by the name of the question.
 */
export function serveBench(
  shown: Readonly<Record<string, unknown>> & { readonly port: number },
  close: () => Promise<void>,
  answers: Readonly<Record<string, () => object>> = {},
): void {
  // Without its bench, whether that closed this server or died, nothing keeps it.
  process.once('disconnect', () => process.exit());
  process.on('message', (message) => {
    if (message === 'cpu') {
      const { user, system } = process.cpuUsage();
      process.send?.({ cpuMs: (user + system) / 1_000 });
    } else if (message === 'close') {
      void close().finally(() => process.disconnect());
    } else {
      process.send?.(answers[String(message)]?.() ?? {});
    }
  });
  process.send?.(shown);
}
