import { existsSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { askToClose } from '../src/demo/steps/closePosition.ts';
import { endedStatuses, waitForStatus } from '../src/demo/steps/waitForStatus.ts';
import { driverOf, openOne } from '../testing/openOne.ts';
import { RunningStack, startTimeoutMs } from '../testing/runningStack.ts';

const running = new RunningStack();
afterAll(() => running.remove(), startTimeoutMs);

test(
  'stack: started, a position opened and closed, stopped → every program answers and none is left',
  async () => {
    const stack = await running.start();
    const driver = await driverOf(stack);
    const { opened } = await openOne(stack, 'alice', new Set());
    expect((await driver.api.positionOfKey(opened.token, opened.key))?.status).toBe('open');

    await askToClose(driver, opened);
    expect((await waitForStatus(driver, opened, endedStatuses)).status).toBe('closed');

    expect((await running.stop()).output).toContain('the next start resumes from here');
    expect(await running.leftovers(40_000)).toEqual([]);
    for (const file of ['stack.json', 'run.json']) expect(existsSync(running.path(file))).toBe(false);
  },
  startTimeoutMs,
);
