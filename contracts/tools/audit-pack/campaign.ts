import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractsRoot } from '../../local/contractsRoot.ts';

/** Actions, events and invariants of the stateful campaign, counted in its source. */
export interface CampaignCounts {
  /** Actions that are drawn; some of them are whole scenarios. */
  readonly actions: number;
  /** Kinds of event that each must have happened. */
  readonly deeds: number;
  /** Legal moves of a position, each of which must have been made. */
  readonly moves: number;
}

const sourceOf = (name: string) => readFileSync(join(contractsRoot, 'test/invariant', name), 'utf8');

/** @throws Error when the campaign is written in another way than it is counted here. */
export function campaignCounts(): CampaignCounts {
  const weights = bodyOf(sourceOf('Campaign.t.sol'), 'function weighted()');
  return {
    actions: new Set([...weights.matchAll(/this\.(\w+)\.selector/g)].map(([, action]) => action)).size,
    deeds: membersOf(sourceOf('CampaignWatch.sol'), 'Deed'),
    moves: membersOf(sourceOf('CampaignLedger.sol'), 'Move'),
  };
}

function membersOf(source: string, enumeration: string): number {
  const body = bodyOf(source, `enum ${enumeration} `).replace(/\/\/[^\n]*/g, '');
  return [...body.matchAll(/\b[A-Z]\w*(?=\s*(?:,|$))/g)].length;
}

/** Return the text between the first brace after a heading and its end. */
function bodyOf(source: string, heading: string): string {
  const start = source.indexOf('{', source.indexOf(heading));
  const indent = /^ */.exec(source.slice(source.lastIndexOf('\n', source.indexOf(heading)) + 1))?.[0] ?? '';
  const end = source.indexOf(`\n${indent}}`, start);
  if (!source.includes(heading) || end < 0) throw new Error(`the campaign has no ${heading}`);
  return source.slice(start + 1, end);
}
