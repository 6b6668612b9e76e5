import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { vaultAbi } from '@core/vault';
import type { Address } from 'viem';
import { FriendlyError } from '../stack/friendlyError.ts';
import { type StackFile, stackFileSchema } from '../stack/stackFile.ts';
import { repositoryRoot } from '../stack/stateFolder.ts';
import { ApiCustomer } from './apiCustomer.ts';
import {
  closedChapter,
  type Finished,
  liquidatedChapter,
  replayChapter,
  type Stage,
  settledChapter,
} from './chapters.ts';
import { type DemoArguments, readArguments } from './demoArguments.ts';
import { figureChecksOf, flowsOf } from './positionFlows.ts';
import { type Check, isBalanced, type Reconciliation, reconcile } from './reconciliation.ts';
import { recordedMarketOf } from './recordedMarket.ts';
import { Story, usdcText } from './story.ts';
import { VenueControl } from './venueControl.ts';
import { type ChainClient, chainClientOf, Wallet } from './wallet.ts';

/** Tells the story of a few positions against a running stack. Exit code: 0 only if every unit and figure reconciles. */
export async function runDemo(args: readonly string[]): Promise<number> {
  const story = new Story((line) => void process.stdout.write(`${line}\n`));
  try {
    const options = readArguments(args);
    const stack = readStack(options.stackFile);
    const recorded = options.replay === null ? null : recordedMarketOf(options.replay);
    const finished = await tell(stack, story, recorded);
    return await balance(stack, story, finished);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const detail = error instanceof FriendlyError ? error.message : (error.stack ?? error.message);
    process.stderr.write(`\n  ✖ ${detail}\n`);
    return 1;
  }
}

function readStack(file: DemoArguments['stackFile']): StackFile {
  const folder = process.env['LEV_STATE_DIR'] ?? path.join(repositoryRoot, '.lev');
  const stackFile = file ?? path.join(folder, 'stack.json');
  if (!existsSync(stackFile)) {
    throw new FriendlyError(`No stack is running (${stackFile} is missing): start one with \`npx -y pnpm@12 start\`.`);
  }
  return stackFileSchema.parse(JSON.parse(readFileSync(stackFile, 'utf8')));
}

async function tell(
  stack: StackFile,
  story: Story,
  recorded: { readonly csv: string; readonly marketId: string } | null,
): Promise<readonly Finished[]> {
  const api = new ApiCustomer(stack, story);
  story.step('What the interface says of the contracts', 'apps/api/src/handlers/getContractInfo.ts');
  const contractInfo = await api.contractInfo();
  story.figures({ ...contractInfo });
  const stage: Stage = {
    desk: { api, story, contractInfo },
    venue: new VenueControl(stack.venueUrl),
    wallet: (name) => new Wallet(stack, name, story),
    taken: new Set(),
  };
  const finished = [
    await closedChapter(stage),
    await settledChapter(stage, { name: 'bob', outcome: 'yes' }),
    await settledChapter(stage, { name: 'carol', outcome: 'void' }),
    await liquidatedChapter(stage),
  ];
  if (recorded !== null) finished.push(await replayChapter(stage, recorded));
  return finished;
}

async function balance(stack: StackFile, story: Story, finished: readonly Finished[]): Promise<number> {
  story.chapter('Reconciliation');
  const client = chainClientOf(stack);
  const world = await reconcile(client, stack, new VenueControl(stack.venueUrl));
  story.step(`Every unit of USDC at block ${world.blockNumber}`, 'apps/devnet/src/demo/reconciliation.ts');
  for (const { name, usdcUnits } of world.groups) story.line(`${name.padEnd(26)}${usdcText(usdcUnits)}`);
  story.line(`${'entered'.padEnd(26)}${usdcText(world.enteredUsdcUnits)}`);
  const figures = (await Promise.all(finished.map((one) => figuresOf(client, stack, { one, world, story })))).flat();
  const checks = [...world.checks, ...figures];
  story.step('What must hold to the unit');
  for (const check of checks) story.line(checkText(check));
  const isGood = isBalanced({ ...world, checks });
  story.line(isGood ? 'everything reconciles' : 'SOMETHING IS MISSING');
  return isGood ? 0 : 1;
}

function checkText({ name, leftUsdcUnits: left, rightUsdcUnits: right }: Check): string {
  return left === right ? `✔ ${name}   ${left}` : `✖ ${name}   ${left} ≠ ${right}, difference ${left - right}`;
}

async function figuresOf(
  client: ChainClient,
  stack: StackFile,
  { one, world, story }: { readonly one: Finished; readonly world: Reconciliation; readonly story: Story },
): Promise<readonly Check[]> {
  const account = await client.readContract({
    address: stack.contracts.vault as Address,
    abi: vaultAbi,
    functionName: 'accountOf',
    args: [one.position.on_chain_position_key as Address],
  });
  const flows = flowsOf(world.transfers, { user: one.wallet.address, account, pool: stack.contracts.pool });
  story.line(`${one.name} (${one.wallet.name}), account ${account}`);
  story.figures({
    '  paid by the user': usdcText(flows.paidByUser),
    '  lent by the pool': usdcText(flows.lentByPool),
    '  spent at the venue': usdcText(flows.paidToVenue),
    '  received from the venue': usdcText(flows.receivedFromVenue),
    '  paid to the pool': usdcText(flows.paidToPool),
    '  paid to the user': usdcText(flows.paidToUser),
  });
  return figureChecksOf(one.name, one.position, flows);
}
