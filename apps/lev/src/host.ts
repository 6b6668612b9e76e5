/** Environment, streams and prompt of the process that runs the command line. */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True at an interactive terminal, the only place with colours, progress and prompts. */
  readonly isTerminal: boolean;
  /** Prompt the user and return the answer. Called only at an interactive terminal. */
  readonly ask: (question: string) => Promise<string>;
}
