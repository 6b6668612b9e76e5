import { startVenueSim } from '@core/venue-sim';
import { serveBench } from '../serverMain.ts';

const sim = await startVenueSim({ seed: 'bench' });
serveBench({ port: Number(new URL(sim.url).port), url: sim.url, wsUrl: sim.wsUrl }, () => sim.close());
