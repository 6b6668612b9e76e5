/**
 * Loaded before a child's own program. The runner holds the other end of its standard input: when the runner ends in
 * any way, the input ends and the child ends too.
 */
const graceMs = 8_000;

function endWithRunner(): void {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
}

process.stdin.once('end', endWithRunner);
process.stdin.once('error', endWithRunner);
process.stdin.resume();
process.stdin.unref();
