/** Levels of the programs' logger, least severe first. */
export const logLevels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;
export type LogLevel = keyof typeof logLevels;
export const levelNames = Object.keys(logLevels).filter((name): name is LogLevel => name in logLevels);

/** Fields that are printed in a column of their own, or are equal on all lines. */
const sharedFields: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'name']);

/** Return the level of a log line; a line that is not JSON of the logger counts as info. */
export function levelOf(line: string): LogLevel {
  const level = recordOf(line)?.['level'];
  return levelNames.find((name) => logLevels[name] === level) ?? 'info';
}

/** Format a log line: time of day, level, message, then the other fields. Other text is returned unchanged. */
export function shownLine(line: string): string {
  const record = recordOf(line);
  if (record === null || typeof record['time'] !== 'number') return line;
  const time = new Date(record['time']).toISOString().slice(11, 23);
  const message = typeof record['msg'] === 'string' ? record['msg'] : '';
  const fields = Object.entries(record)
    .filter(([name]) => !sharedFields.has(name))
    .map(([name, value]) => `${name}=${fieldText(value)}`);
  return [time, levelOf(line).toUpperCase().padEnd(5), message, ...fields].join(' ').trimEnd();
}

/** Return the text of a field. An error is reduced to its message; `--raw` prints its stack trace. */
function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'message' in value) return JSON.stringify(value.message);
  return JSON.stringify(value);
}

function recordOf(line: string): Readonly<Record<string, unknown>> | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}
