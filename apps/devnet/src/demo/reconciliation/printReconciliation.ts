import { vaultAbi } from '@core/vault';
import { VenueControl } from '@core/venue-sim/control';
import type { PositionWire } from '@core/wire';
import type { StackFile } from '../../stack/state/stackFile.ts';
import { type ChainClient, stackClientOf, type Wallet } from '../clients/wallet.ts';
import { codePlaces } from '../codePlaces.ts';
import { type StepPrinter, usdcText } from '../stepPrinter.ts';
import { figureChecksOf, flowsOf } from './positionFlows.ts';
import { type Check, isBalanced, type Reconciliation, reconcile } from './reconciliation.ts';

/** A finished position as the service reports it. */
interface EndedPosition {
  readonly name: string;
  readonly wallet: Wallet;
  readonly position: PositionWire;
}

/** Print the holders of every unit of USDC and the checks between figures. Returns true when all checks hold. */
export async function printReconciliation(
  stack: StackFile,
  printer: StepPrinter,
  ended: readonly EndedPosition[],
): Promise<boolean> {
  printer.scenario('Reconciliation');
  const client = stackClientOf(stack);
  const world = await reconcile(client, stack, new VenueControl(stack.venueUrl));
  printer.step(`Every unit of USDC at block ${world.blockNumber}`, codePlaces.reconciliation);
  for (const { name, usdcUnits } of world.groups) printer.line(`${name.padEnd(26)}${usdcText(usdcUnits)}`);
  printer.line(`${'minted'.padEnd(26)}${usdcText(world.enteredUsdcUnits)}`);
  const figures = await Promise.all(ended.map((one) => printFlows(client, stack, { one, world, printer })));
  const checks = [...world.checks, ...figures.flat()];
  printer.step('Figures that must be equal to the unit');
  for (const check of checks) printer.line(checkText(check));
  const isGood = isBalanced({ ...world, checks });
  printer.line(isGood ? 'everything reconciles' : 'RECONCILIATION FAILED');
  return isGood;
}

function checkText({ name, left, right }: Check): string {
  return left === right ? `✔ ${name}   ${left}` : `✖ ${name}   ${left} ≠ ${right}, difference ${left - right}`;
}

async function printFlows(
  client: ChainClient,
  stack: StackFile,
  {
    one,
    world,
    printer,
  }: { readonly one: EndedPosition; readonly world: Reconciliation; readonly printer: StepPrinter },
): Promise<readonly Check[]> {
  const account = await client.readContract({
    address: stack.contracts.vault,
    abi: vaultAbi,
    functionName: 'accountOf',
    args: [one.position.on_chain_position_key],
  });
  const flows = flowsOf(world.transfers, { user: one.wallet.address, account, pool: stack.contracts.pool });
  printer.line(`${one.name} (${one.wallet.name}), account ${account}`);
  printer.figures({
    '  paid by the user': usdcText(flows.paidByUser),
    '  lent by the pool': usdcText(flows.lentByPool),
    '  spent at the venue': usdcText(flows.paidToVenue),
    '  received from the venue': usdcText(flows.receivedFromVenue),
    '  paid to the pool': usdcText(flows.paidToPool),
    '  paid to the user': usdcText(flows.paidToUser),
  });
  return figureChecksOf(one.name, one.position, flows);
}
