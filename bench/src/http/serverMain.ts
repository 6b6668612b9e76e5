/** Return the setup with which this process was started. */
export function readSetup(): Readonly<Record<string, unknown>> {
  const setup: unknown = JSON.parse(process.argv[2] ?? '{}');
  return typeof setup === 'object' && setup !== null ? { ...setup } : {};
}

/**
 * Report that this process serves, and answer questions of the bench until it closes.
 *
 * @param answers Answers besides the processor time, by question.
 */
export function serveBench(
  shown: Readonly<Record<string, unknown>> & { readonly port: number },
  close: () => Promise<void>,
  answers: Readonly<Record<string, () => object>> = {},
): void {
  // The process ends with its bench, whether that closed it or crashed.
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
