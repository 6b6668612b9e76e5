import { runLev } from '../src/runLev.ts';

/** Result of one command line. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runner of command lines in this process. With `answers` it is interactive and gives one answer per prompt. */
export class Terminal {
  readonly #environment: Readonly<Record<string, string>>;

  readonly #answers: string[];

  constructor(environment: Readonly<Record<string, string>>, answers: readonly string[] = []) {
    this.#environment = environment;
    this.#answers = [...answers];
  }

  async run(...words: readonly string[]): Promise<Ran> {
    let [out, err] = ['', ''];
    const code = await runLev(words, {
      environment: this.#environment,
      isTerminal: this.#answers.length > 0,
      ask: async (question) => {
        err += question;
        return this.#answers.shift() ?? '';
      },
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    });
    return { code, out, err };
  }

  /** Run with `--json` and return the one document that is printed. */
  async json(...words: readonly string[]): Promise<{ readonly code: number; readonly document: unknown }> {
    const { code, out } = await this.run(...words, '--json');
    return { code, document: JSON.parse(out) };
  }

  /** Run with `--json` and return the documents of a stream, one per line. */
  async lines(...words: readonly string[]): Promise<readonly Record<string, unknown>[]> {
    const { out } = await this.run(...words, '--json');
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}

/** Replace everything that differs between runs: IDs, hashes, amounts, times and column padding. */
export function golden(text: string): string {
  return text
    .replaceAll(/\b(pos|dro|off|key|evt|req)_[0-9a-z]+/g, '$1_…')
    .replaceAll(/0x[0-9a-fA-F]{40,}/g, '0x…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/-?\d+\.\d+/g, '#')
    .replaceAll(/ {2,}/g, '  ');
}
