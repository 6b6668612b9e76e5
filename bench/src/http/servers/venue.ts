import { startVenueSim } from '@core/venue-sim';
import { readSetup, serveBench } from '../serverMain.ts';

const { strikesPerAsset } = readSetup();
const sim = await startVenueSim({ seed: 'bench', strikesPerAsset: Number(strikesPerAsset ?? 0) });
serveBench({ port: Number(new URL(sim.url).port), url: sim.url, wsUrl: sim.wsUrl }, () => sim.close());
