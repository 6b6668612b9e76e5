import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** `lev complete <shell>` prints the shell's script; what the script asks is answered from the table. */
export async function complete(program: Command, words: readonly string[]): Promise<void> {
  tab(program);
  await program.parseAsync([...words], { from: 'user' });
}
