import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hardhatCli } from '../../local/compilation/hardhatCli.ts';

/**
 * Runs Hardhat's Solidity tests in a folder and returns all they print, which is shown as it comes.
 *
 * @throws Error when a test fails.
 */
export async function runSolidityTests(root: string, ...flags: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [hardhatCli() ?? 'hardhat', 'test', 'solidity', ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  const [code]: readonly unknown[] = await once(child, 'close');
  if (code !== 0) throw new Error(`the Solidity tests ended with exit code ${code}`);
  return output;
}
