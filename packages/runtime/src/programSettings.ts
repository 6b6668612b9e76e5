import type { Codec, LogLevel } from './codecs.ts';
import { httpUrl, logLevel } from './codecs.ts';
import { optional, type ValuesOf, withDefault } from './readEnvironment.ts';

const shareOfTraces: Codec<number> = {
  expects: 'a share from 0 to 1, such as 0.25',
  read: (text) => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text) ? Number(text) : undefined),
};

/** Settings of every program. The names of the traces' are those of OpenTelemetry. */
export const programSettings = {
  LOG_LEVEL: withDefault(logLevel, 'info'),
  /** Collector of traces that takes OTLP over HTTP, for example http://127.0.0.1:4318; no traces by default. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(httpUrl),
  /** Share of the traces that are recorded. */
  OTEL_TRACES_SAMPLER_ARG: withDefault(shareOfTraces, 1),
};

/** Settings with which every program is run. */
export interface ProgramEnv {
  readonly logLevel: LogLevel;
  /** Null while no collector is set. */
  readonly traces: { readonly collectorUrl: string; readonly share: number } | null;
}

/** Return the settings with which the program is run. */
export function programEnvOf(env: ValuesOf<typeof programSettings>): ProgramEnv {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl, OTEL_TRACES_SAMPLER_ARG: share } = env;
  return { logLevel: env.LOG_LEVEL, traces: collectorUrl === undefined ? null : { collectorUrl, share } };
}
