import { writeFileSync } from 'node:fs';
import { FriendlyError, fileOf, optional, privateKey, readEnvironment } from '@core/runtime';
import { selectedVenueOf, venueSettings } from '@core/venue';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { VenueAccount } from '../doctor/venueAccount.ts';
import { type StepOutcome, venueSteps } from '../doctor/venueSteps.ts';

const settings = {
  ...venueSettings,
  /** File with the key that owns the deposit wallet; without it only public reads are made. */
  VENUE_KEY_FILE: optional(fileOf(privateKey)),
};

const marks: Readonly<Record<StepOutcome['state'], string>> = { expected: '✔', unexpected: '✖', not_run: '–' };

/** Parse an amount of whole dollars. @throws FriendlyError for any other text. */
function budgetUnitsOf(text: string | null): bigint {
  if (text === null) return 0n;
  if (/^\d{1,4}$/.test(text)) return BigInt(text) * 1_000_000n;
  throw new FriendlyError(`--spend: expected whole dollars, 0 to 9999, got ${text}`);
}

function tokenIdOf(text: string | null): bigint | null {
  if (text === null) return null;
  if (/^[1-9]\d{0,77}$/.test(text)) return BigInt(text);
  throw new FriendlyError(`--token: expected the decimal id of an outcome token, got ${text}`);
}

/** Run the experiments on the venue that the settings select: dry, or with tiny orders. */
export async function venueDoctor(context: Context): Promise<Answer> {
  const { environment } = context.host;
  const env = readEnvironment({ program: 'lev venue doctor', settings, ownPrefixes: [] }, environment);
  const venue = selectedVenueOf({ ...env, VENUE_PROFILE: environment['VENUE_PROFILE'] ? env.VENUE_PROFILE : 'real' });
  if (venue.profile.contracts === null) {
    throw new FriendlyError('the simulator’s profile has no deposit wallets: set VENUE_PROFILE=real');
  }
  const budgetUnits = budgetUnitsOf(context.option('spend'));
  const account = env.VENUE_KEY_FILE === undefined ? null : new VenueAccount(venue, env.VENUE_KEY_FILE);
  const world = { venue, account, tokenId: tokenIdOf(context.option('token')), budgetUnits };
  const steps = [];
  for (const [index, { name, expected, action, run }] of venueSteps.entries()) {
    steps.push({ number: index + 1, name, expected, action, ...(await run(world)) });
  }
  const lines = steps.map(({ number, name, expected, action, state, detail }) =>
    [
      `${marks[state]} ${String(number).padStart(2)} ${name}`,
      `       action    ${action}`,
      `       expected  ${expected}`,
      `       outcome   ${detail}`,
    ].join('\n'),
  );
  const failedCount = steps.filter(({ state }) => state === 'unexpected').length;
  const runCount = steps.filter(({ state }) => state !== 'not_run').length;
  const wallet = account === null ? 'no account' : `owner ${account.owner}, deposit wallet ${account.wallet}`;
  const summary = `${runCount} of ${steps.length} steps run, ${failedCount} with another outcome; ${wallet}`;
  const text = [`venue ${venue.hosts.url}`, ...lines, summary].join('\n');
  const report = context.option('report');
  if (report !== null) writeFileSync(report, `# The venue’s answers\n\n\`\`\`\n${text}\n\`\`\`\n`);
  return { value: { venue: venue.hosts.url, steps, failed: failedCount }, text, isFailedCheck: failedCount > 0 };
}
