import { describe, expect, it } from 'vitest';
import { privateWordsIn } from './words.ts';

const wordsIn = (text: string, path = 'packages/low/src/x.ts'): string[] =>
  privateWordsIn([{ path, text }]).map(({ where, what }) => `${where.split(':').at(-1)} ${/"(.*)"/.exec(what)?.[1]}`);

describe('private words', () => {
  it.each([
    ['const leastLimitOf = 1n;', 'least'],
    ['const most = 1n;', 'most'],
    ['const MOST_OPENINGS = 4;', 'most'],
    ['export interface QuoteOffer {}', 'offer'],
    ['/** The offer holds. */', 'the offer'],
    ['type OrderSideWord = 0;', 'side word'],
    ["it('tells a story', f);", 'tells'],
    ['struct Division { uint256 a; }', 'division'],
    ['const sight = observe();', 'sight'],
    ['// A new sighting.', 'sighting'],
    ['new TransactionLane();', 'lane'],
    ['function tendOrder() {}', 'tend'],
    ['for (let turn = 0;;) f();', 'turn'],
    ['// It waits for its turn.', 'its turn'],
    ['// Nobody may.', 'nobody'],
    ['// The user withdraws what is his.', 'his'],
    ['// as told by the book', 'told'],
    ['const verdict = 1;', 'verdict'],
    ["{ fate: 'killed' }", 'fate'],
    ['contract LocalDesk {}', 'desk'],
    ['const keeperPulse = 1;', 'pulse'],
    ["reach('settle', point);", 'reach'],
    ['const crashPoints = [];', 'crash points'],
    ['bool orderStanding;', 'standing'],
    ['/// @notice A standing order.', 'standing order'],
    ['error OrderTouched();', 'order touched'],
    ['// The namespace lead-in.', 'lead-in'],
    ['// A barred exchange.', 'barred'],
    ['const wish = 1;', 'wish'],
    ['// born liquidatable', 'born'],
    ['bool atBirth;', 'birth'],
    ['// A stillborn position.', 'stillborn'],
    ['// A dead order.', 'dead order'],
    ['// A gift of tokens.', 'gift'],
    ['// Build it anew.', 'anew'],
    ['const crumb = 1n;', 'crumb'],
    ['contract LastingOwner {}', 'lasting owner'],
    ['vault.handsTokens();', 'hands tokens'],
  ])('finds the one in %s', (text, word) => {
    expect(wordsIn(text)).toContain(`1 ${word}`);
  });

  it.each([
    '// at least 2, at most 3; the most urgent goes first, the least of the limits counts',
    'const atLeastOnce = almost(heartbeat);',
    '// a price that reaches the limit, the other in turn, rounded by the division',
    'const reachable = turnGame(storageWord, outstanding);',
    "get('/draft-offers');",
    '// The fee is overturned where others share the unit.',
  ])('lets plain English be: %s', (text) => {
    expect(wordsIn(text)).toEqual([]);
  });

  it('names the line, reads documents as prose, and skips generated text and applied migrations', () => {
    expect(wordsIn('Plain.\n\nThe `leastPriceOf` is told.\n', 'README.md')).toEqual(['3 least', '3 told']);
    expect(wordsIn('A least of words.\n', 'README.md')).toEqual([]);
    expect(wordsIn('const verdict = 1;', 'packages/low/src/generated/x.ts')).toEqual([]);
    expect(wordsIn('<p>It is told at least {most} of it.</p>', 'packages/low/src/x.tsx')).toEqual(['1 most', '1 told']);
    expect(wordsIn('-- lanes', 'packages/low/prisma/migrations/1/migration.sql')).toEqual([]);
  });
});
