import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** Name under which the library prints a script; users type `completion`. */
const scriptCommand = 'completion-script';

/** Print a shell's completion script (`completion <shell>`), or the completions it requests (`complete -- …`). */
export async function complete(program: Command, [name, ...rest]: readonly string[]): Promise<void> {
  tab(program, { completionCommandName: scriptCommand });
  await program.parseAsync([name === 'completion' ? scriptCommand : 'complete', ...rest], { from: 'user' });
}
