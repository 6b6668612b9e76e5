import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Mutant, mutantsOf, mutantsOfFolder } from '../../tools/mutation/mutantsOf.ts';
import { batchesOf, placeOf, type Switched, switchedSource } from '../../tools/mutation/switches.ts';
import { type SwitchPlace, switchPlacesOf } from '../../tools/mutation/switchPlaces.ts';

const root = join(import.meta.dirname, '../..');
const everyMutant = mutantsOfFolder(join(root, 'src'));

describe('a batch of mutants behind switches', () => {
  const source = 'pragma solidity 0.8.37;\ncontract A {\n    function f() external {\n        a = b + 1;\n    }\n}\n';
  const place = (text: string, kind: SwitchPlace['kind']) => {
    const from = source.indexOf(text);
    return { from, to: from + text.length, kind };
  };
  const mutants = mutantsOf('A.sol', source);
  const mutant = (after: string) => mutants.find((one) => one.after === after) as Mutant;

  it('chooses an expression or a statement by the address of a library', () => {
    const expressions = [
      { mutant: mutant('a = b - 1;'), place: place('b + 1', 'expression') },
      { mutant: mutant('a = b + (1 + 1);'), place: place('b + 1', 'expression') },
    ];
    const on = (number: number) => `address(ActiveMutant) == address(uint160(${number}))`;
    const chosen = `a = (${on(1)} ? (b - 1) : ((${on(2)} ? (b + (1 + 1)) : (b + 1))));`;
    assert.ok(switchedSource('A.sol', source, expressions).includes(chosen));
    const statement = [{ mutant: mutant(''), place: place('a = b + 1;', 'statement') }];
    assert.ok(switchedSource('A.sol', source, statement).includes(`{ if (${on(1)}) {  } else { a = b + 1; } }`));
  });

  it('is of places that stand apart, or are the same', () => {
    const switched = [
      { mutant: mutant(''), place: place('a = b + 1;', 'statement') },
      { mutant: mutant('a = b - 1;'), place: place('b + 1', 'expression') },
      { mutant: mutant('a = b + (1 + 1);'), place: place('b + 1', 'expression') },
    ];
    const sizes = batchesOf('A.sol', switched).map((batch) => batch.length);
    assert.deepEqual(sizes, [1, 2]);
  });
});

describe('the contracts behind switches', () => {
  for (const file of ['libraries/PoolBook.sol', 'Settlement.sol', 'LiquidityPool.sol', 'Vault.sol']) {
    it(`read as a mutant where its switch is on, and as they are where none is: ${file}`, () => {
      const source = readFileSync(join(root, 'src', file), 'utf8');
      const places = switchPlacesOf(root, { file, source });
      const mutants = everyMutant.filter((mutant) => mutant.file === file);
      const switched = mutants.flatMap((mutant): Switched[] => {
        const found = placeOf(mutant, places);
        return found === undefined ? [] : [{ mutant, place: found }];
      });
      assert.ok(switched.length > mutants.length * 0.8, `${switched.length} of ${mutants.length} have a place`);
      const batches = batchesOf(file, switched);
      assert.equal(batches.flat().length, switched.length);
      for (const batch of batches) {
        const text = switchedSource(file, source, batch);
        assert.equal(bare(withSwitchOn(text, 0)), bare(source));
        for (const [index, { mutant }] of batch.entries()) {
          assert.equal(bare(withSwitchOn(text, index + 1)), bare(mutant.source), mutant.after);
        }
      }
    });
  }
});

/** Evaluate the conditions of a switched source with one switch on. */
function withSwitchOn(text: string, on: number): string {
  let read = text.replace(/ import \{ActiveMutant\}[^;]*;/, '');
  for (;;) {
    const condition = /address\(ActiveMutant\) == address\(uint160\((?<number>\d+)\)\)/.exec(read);
    if (condition === null) return read;
    const isOn = Number(condition.groups?.['number']) === on;
    const isExpression = read.slice(condition.index + condition[0].length).startsWith(' ? ');
    const first = bracketsAfter(read, condition.index + condition[0].length, isExpression ? '()' : '{}');
    const second = bracketsAfter(read, first.to, isExpression ? '()' : '{}');
    const from = isExpression ? condition.index : condition.index - 'if ('.length;
    const { text: chosen } = isOn ? first : second;
    read = read.slice(0, from) + chosen + read.slice(second.to);
  }
}

/** The text in the next brackets of a kind and where they end. */
function bracketsAfter(text: string, from: number, [open, close]: string): { text: string; to: number } {
  const start = text.indexOf(open as string, from);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    if (text[at] === close) depth -= 1;
    if (depth === 0) return { text: text.slice(start + 1, at), to: at + 1 };
  }
  throw new Error('a bracket is not closed');
}

/** A text without white space and brackets, which switches add. */
function bare(text: string): string {
  return text.replace(/[\s(){}]/g, '');
}
