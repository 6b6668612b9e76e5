import type { KeeperConfig } from '@core/keeper';
import { outsidePrograms } from '../runtime/program.ts';
import { Killed } from '../world/programs.ts';
import type { Fault, FaultPlace } from './fault.ts';

/** Deaths of one world. */
const maxDeaths = 2;
/** Named points between two deaths. */
const points = { low: 3, end: 20 } as const;
/** Virtual milliseconds until the keeper is started again. */
const pauseMs = { low: 200, end: 3_200 } as const;

/** The keeper dies at named points between two effects, and is started again. */
export const keeperDies: Fault = (place) => {
  const { world, random } = place;
  let isOn = true;
  let deaths = 0;
  let pointsLeft = random.between(points.low, points.end);
  const failpoint: NonNullable<KeeperConfig['failpoint']> = (operation, moment) => {
    // Markets are registered all the time: the moments of orders are those that count.
    if (!isOn || operation === 'register_outcome' || deaths >= maxDeaths) return;
    pointsLeft -= 1;
    if (pointsLeft > 0) return;
    pointsLeft = random.between(points.low, points.end);
    deaths += 1;
    place.say(`fault: the keeper dies at ${operation}:${moment}`);
    world.programs.kill('keeper');
    const ms = random.between(pauseMs.low, pauseMs.end);
    outsidePrograms(() => world.edge.scheduler.at(ms, () => startAgain(place, failpoint)));
    throw new Killed(`${operation}:${moment}`);
  };
  world.programs.kill('keeper');
  startAgain(place, failpoint);
  return () => {
    isOn = false;
  };
};

/** Start the keeper until it runs: the lock of the dead one may still be held. */
function startAgain(place: FaultPlace, failpoint: NonNullable<KeeperConfig['failpoint']>): void {
  const { world, say } = place;
  world.startKeeper('keeper', { failpoint }).then(
    () => say('the keeper runs'),
    (error: unknown) => {
      say(`the keeper does not start: ${String(error).slice(0, 80)}`);
      world.programs.kill('keeper');
      outsidePrograms(() => world.edge.scheduler.at(1_000, () => startAgain(place, failpoint)));
    },
  );
}
