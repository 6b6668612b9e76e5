import { runLev } from '../src/runLev.ts';

/** What a command line has left. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs command lines in this process, as a terminal in front of one environment. */
export class Terminal {
  readonly #environment: Readonly<Record<string, string>>;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  async run(...words: readonly string[]): Promise<Ran> {
    let [out, err] = ['', ''];
    const code = await runLev(words, {
      environment: this.#environment,
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    });
    return { code, out, err };
  }

  /** The one document that `--json` prints. */
  async json(...words: readonly string[]): Promise<{ readonly code: number; readonly document: unknown }> {
    const { code, out } = await this.run(...words, '--json');
    return { code, document: JSON.parse(out) };
  }

  /** The documents of a stream, one a line. */
  async lines(...words: readonly string[]): Promise<readonly Record<string, unknown>[]> {
    const { out } = await this.run(...words, '--json');
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}

/** Text with all that differs from run to run replaced: IDs, hashes, amounts, times, the blanks of columns. */
export function golden(text: string): string {
  return text
    .replaceAll(/\b(pos|dro|off|key|evt|req)_[0-9a-z]+/g, '$1_…')
    .replaceAll(/0x[0-9a-fA-F]{40,}/g, '0x…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/-?\d+\.\d+/g, '#')
    .replaceAll(/ {2,}/g, '  ');
}
