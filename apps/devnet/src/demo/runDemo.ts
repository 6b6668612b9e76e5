import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import { VenueControl } from '@core/venue-sim/control';
import { readEnv } from '../env.ts';
import { type StackFile, stackFileSchema } from '../stack/state/stackFile.ts';
import { repositoryRoot } from '../stack/state/stateFolder.ts';
import { ApiClient } from './clients/apiClient.ts';
import { Wallet } from './clients/wallet.ts';
import { codePlaces } from './codePlaces.ts';
import { type DemoArguments, readArguments } from './demoArguments.ts';
import { printReconciliation } from './reconciliation/printReconciliation.ts';
import { type RecordedMarket, recordedMarketOf } from './recordedMarket.ts';
import { hardExitScenario } from './scenarios/hardExitScenario.ts';
import { recordedScenario } from './scenarios/recordedScenario.ts';
import type { ScenarioResult, Stage } from './scenarios/stage.ts';
import { closedScenario, liquidatedScenario, settledScenario } from './scenarios/syntheticScenarios.ts';
import { unwoundScenario } from './scenarios/unwoundScenario.ts';
import { StepPrinter } from './stepPrinter.ts';

/** Run the scenarios against a running stack. Returns exit code 0 only if every unit and figure reconciles. */
export async function runDemo(args: readonly string[]): Promise<number> {
  const printer = new StepPrinter((line) => void process.stdout.write(`${line}\n`));
  try {
    const options = readArguments(args);
    const stack = readStack(options.stackFile);
    const recorded = options.replay === null ? null : recordedMarketOf(options.replay);
    const run = async () => {
      const results = await runScenarios({ stack, printer, recorded, hasHardExit: options.hasHardExit });
      return (await printReconciliation(stack, printer, results)) ? 0 : 1;
    };
    return await printer.during(run);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const detail = error instanceof FriendlyError ? error.message : (error.stack ?? error.message);
    process.stderr.write(`\n  ✖ ${detail}\n`);
    return 1;
  }
}

function readStack(file: DemoArguments['stackFile']): StackFile {
  const folder = readEnv(process.env).LEV_STATE_DIR ?? path.join(repositoryRoot, '.lev');
  const stackFile = file ?? path.join(folder, 'stack.json');
  if (!existsSync(stackFile)) {
    throw new FriendlyError(`No stack is running (${stackFile} is missing): start one with \`npx -y pnpm@12 start\`.`);
  }
  return stackFileSchema.parse(JSON.parse(readFileSync(stackFile, 'utf8')));
}

async function runScenarios({
  stack,
  printer,
  recorded,
  hasHardExit,
}: {
  readonly stack: StackFile;
  readonly printer: StepPrinter;
  readonly recorded: RecordedMarket | null;
  readonly hasHardExit: boolean;
}): Promise<readonly ScenarioResult[]> {
  const api = new ApiClient(stack, printer);
  printer.step('Contract terms of the interface', codePlaces.contractInfo);
  const contractInfo = await api.contractInfo();
  printer.figures({ ...contractInfo });
  const stage: Stage = {
    driver: { api, printer, contractInfo },
    venue: new VenueControl(stack.venueUrl),
    wallet: (name) => new Wallet(stack, name, printer),
    usedTickers: new Set(),
  };
  const results = [
    await closedScenario(stage),
    await settledScenario(stage, { name: 'bob', outcome: 'yes' }),
    await settledScenario(stage, { name: 'carol', outcome: 'void' }),
    await liquidatedScenario(stage),
    await unwoundScenario(stage),
  ];
  if (recorded !== null) results.push(await recordedScenario(stage, recorded));
  // Last, since it moves the clock of the stack.
  if (hasHardExit) results.push(await hardExitScenario(stage));
  return results;
}
