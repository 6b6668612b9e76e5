import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { explained, explanationOf, staleExplanations } from '../mutation/explained.ts';
import { reaches } from '../mutation/imports.ts';
import { type Mutant, mutantsOf, mutantsOfFolder, shuffled, withRoundingDown } from '../mutation/mutantsOf.ts';
import { assertSameSubject, type Fate, readReport, reportOf, type Verdict, writeReport } from '../mutation/report.ts';
import { Sample } from '../mutation/sample.ts';

const sourceFolder = join(import.meta.dirname, '../src');
const body = (code: string) => `contract A {\n    function f() external {\n        ${code}\n    }\n}\n`;
const changesOf = (code: string) =>
  mutantsOf('A.sol', body(code)).map(({ operator, after }) => `${operator}: ${after}`);

describe('mutants of a source', () => {
  /** Each with all its mutants. */
  const cases: readonly (readonly [code: string, changes: readonly string[]])[] = [
    ['return a < b;', ['comparison: return a <= b;', 'comparison: return a >= b;']],
    ['return a <= b;', ['comparison: return a < b;', 'comparison: return a > b;']],
    ['return a > b;', ['comparison: return a >= b;', 'comparison: return a <= b;']],
    ['return a >= b;', ['comparison: return a > b;', 'comparison: return a < b;']],
    ['return a == b;', ['comparison: return a != b;']],
    ['return a != b;', ['comparison: return a == b;']],
    ['return a + b;', ['arithmetic: return a - b;']],
    ['return a - b;', ['arithmetic: return a + b;']],
    ['return a * b;', ['arithmetic: return a / b;']],
    ['return a / b;', ['arithmetic: return a * b;']],
    ['a += b;', ['statement left out: ', 'arithmetic: a -= b;', 'arithmetic: a = b;']],
    ['a -= b;', ['statement left out: ', 'arithmetic: a += b;', 'arithmetic: a = b;']],
    ['return a && b;', ['logic: return a || b;']],
    ['return a || b;', ['logic: return a && b;']],
    ['return !a;', ['logic: return a;']],
    ['return true;', ['logic: return false;']],
    ['return false;', ['logic: return true;']],
    ['return UnitMath.min(a, b);', ['minimum: return UnitMath.max(a, b);']],
    ['return UnitMath.max(a, b);', ['minimum: return UnitMath.min(a, b);']],
    ['return UnitMath.multiplyDivideUp(a, b, c);', ['rounding: return UnitMath.multiplyDivideDown(a, b, c);']],
    ['return Rounding.Ceil;', ['rounding: return Rounding.Floor;']],
    ['return Rounding.Floor;', ['rounding: return Rounding.Ceil;']],
    ['return UnitMath.subtractOrZero(a, b);', ['clamp: return UnitMath.max(a, b);']],
    ['return 7;', ['constant: return (7 + 1);', 'constant: return (7 - 1);']],
    ['return 0;', ['constant: return (0 + 1);']],
    ['return GRACE_SECONDS;', ['constant: return (GRACE_SECONDS + 1);']],
    ['if (a) revert Late();', ['check left out: ']],
    ['emit Paid(a);', ['statement left out: ']],
    ['delete orders[a];', ['statement left out: ']],
    ['pool.pay(a);', ['statement left out: ']],
    ['a = b;', ['statement left out: ']],
  ];
  for (const [code, changes] of cases) {
    it(`of ${code} are ${changes.map((change) => change.trim()).join(' and ')}`, () => {
      assert.deepEqual(changesOf(code).sort(), [...changes].sort());
    });
  }

  it('round down where a division rounds up by hand', () => {
    assert.ok(changesOf('return (a * b + divisor - 1) / divisor;').includes('rounding: return (a * b) / divisor;'));
  });

  for (const modifier of ['onlyVault', 'onlyOwner', 'onlyKeeper', 'nonReentrant']) {
    it(`leave out ${modifier}`, () => {
      const mutants = mutantsOf('A.sol', `function f() external ${modifier} {\n}\n`);
      assert.deepEqual(
        mutants.map(({ operator, after }) => [operator, after]),
        [['modifier', 'function f() external {']],
      );
    });
  }

  it('leave comments, strings, imports and declarations alone', () => {
    const source = [
      'pragma solidity 0.8.37;',
      'import {A as B} from "./a < b.sol";',
      '// a < b',
      '/* a + b',
      ' * 7 */',
      'struct S {',
      '    uint256[7] a;',
      '}',
      'contract A {',
      '    string constant NAME = "a == b + 1 true";',
      '    using A for uint256;',
      '    function max(uint256 a) external {}',
      '}',
    ].join('\n');
    assert.deepEqual(mutantsOf('A.sol', source), []);
  });

  it('differ from the source in the named line alone, and never repeat', () => {
    const mutants = mutantsOfFolder(sourceFolder);
    assert.ok(mutants.length > 1000);
    assert.equal(new Set(mutants.map(({ file, source }) => `${file}\n${source}`)).size, mutants.length);
    const [mutant] = mutantsOf('A.sol', body('return a < b;'));
    assert.equal(mutant?.line, 3);
    assert.equal(mutant?.source, body('return a <= b;'));
  });

  it('come from every kind of change, and from no interface', () => {
    const mutants = mutantsOfFolder(sourceFolder);
    const kinds = ['comparison', 'arithmetic', 'logic', 'minimum', 'rounding', 'clamp', 'modifier', 'constant'];
    for (const kind of [...kinds, 'check left out', 'statement left out']) {
      assert.ok(
        mutants.some(({ operator }) => operator === kind),
        kind,
      );
    }
    assert.ok(mutants.every(({ file }) => !file.startsWith('interfaces')));
  });

  it('find the rounding they call in the library', () => {
    const library = withRoundingDown('library UnitMath {\n}\n');
    assert.match(library, /^library UnitMath \{\n +function multiplyDivideDown\([^]*\n\}\n$/);
  });
});

describe('order of the mutants', () => {
  it('is the same for a seed, another for another, and loses nothing', () => {
    const items = Array.from({ length: 100 }, (_, index) => index);
    assert.deepEqual(shuffled(items, 1), shuffled(items, 1));
    assert.notDeepEqual(shuffled(items, 1), shuffled(items, 2));
    assert.deepEqual(
      shuffled(items, 1).sort((a, b) => a - b),
      items,
    );
  });
});

describe('sample', () => {
  const mutants = Array.from({ length: 40 }, (_, index) => mutantAt(index));
  /** Every fourth compiles to the same code, every ninth not at all. */
  const fateAt = (position: number): Fate => {
    if (position % 4 === 3) return 'same code';
    if (position % 9 === 5) return 'does not compile';
    return position % 7 === 2 ? 'survived' : 'killed';
  };
  /** Judges with so many at a time, the latest begun first; stops after so many verdicts. */
  const judgeWith = (sample: Sample, workers: number, most = Number.POSITIVE_INFINITY) => {
    const underWay: number[] = [];
    for (let judged = 0; judged < most; judged += 1) {
      while (underWay.length < workers) {
        const position = sample.next();
        if (position === undefined) break;
        underWay.push(position);
      }
      const position = underWay.pop();
      if (position === undefined) break;
      sample.record(position, { fate: fateAt(position) });
    }
    return reportOf({ seed: 1, mutantsInAll: mutants.length, code: 'a' }, sample.verdicts);
  };

  it('is the same however many are judged side by side', () => {
    const alone = judgeWith(new Sample(mutants, 20, []), 1);
    assert.equal(alone.judged, 20);
    for (const workers of [2, 3, 8]) assert.deepEqual(judgeWith(new Sample(mutants, 20, []), workers), alone);
  });

  it('goes on where a run stopped, as if it had not', () => {
    const whole = judgeWith(new Sample(mutants, 20, []), 3);
    for (const stoppedAfter of [1, 7, 19]) {
      const part = judgeWith(new Sample(mutants, 20, []), 3, stoppedAfter);
      assert.deepEqual(judgeWith(new Sample(mutants, 20, part.verdicts), 2), whole);
    }
  });

  it('judges survivors and what could not be judged once more, before anything new', () => {
    const earlier = [verdictAt(0, 'killed'), verdictAt(1, 'survived'), verdictAt(2, 'not judged')];
    const sample = new Sample(mutants, 4, earlier);
    assert.deepEqual([sample.next(), sample.next(), sample.next(), sample.next()], [1, 2, 3, undefined]);
    sample.record(1, { fate: 'killed', by: 'a new test' });
    sample.record(2, { fate: 'not judged', by: 'no memory' });
    assert.equal(sample.next(), 4);
    assert.equal(sample.verdicts.find(({ position }) => position === 1)?.by, 'a new test');
  });

  it('ends with the list', () => {
    const report = judgeWith(new Sample(mutants, 1000, []), 4);
    assert.equal(report.verdicts.length, mutants.length);
  });
});

describe('mutation report', () => {
  const subject = { seed: 1, mutantsInAll: 40, code: 'a' };

  it('scores killed of judged, and beside it without what no test can kill', () => {
    const limit = { file: 'libraries/OrderStatus.sol', after: 'uint256 private constant GAS_LIMIT = (100_000 + 1);' };
    const report = reportOf(subject, [
      verdictAt(4, 'survived'),
      { ...verdictAt(3, 'survived'), ...limit },
      verdictAt(2, 'killed'),
      verdictAt(1, 'same code'),
      verdictAt(0, 'does not compile'),
      verdictAt(5, 'not judged'),
    ]);
    assert.equal(report.judged, 3);
    assert.equal(report.killed, 1);
    assert.equal(report.explained, 1);
    assert.equal(report.scorePercent, 33.3);
    assert.equal(report.scoreWithoutExplainedPercent, 50);
    assert.deepEqual([report.sameCode, report.doesNotCompile, report.notJudged], [1, 1, 1]);
    assert.deepEqual(
      report.verdicts.map(({ position }) => position),
      [0, 1, 2, 3, 4, 5],
    );
  });

  it('is read as it was written, and absent when there is none', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'report-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'report.json');
    assert.equal(readReport(path), undefined);
    const report = reportOf(subject, [verdictAt(0, 'killed')]);
    writeReport(path, report);
    assert.deepEqual(readReport(path), report);
  });

  it('is not continued with another seed or other code', () => {
    const report = reportOf(subject, []);
    assertSameSubject(report, subject);
    for (const other of [{ seed: 2 }, { mutantsInAll: 41 }, { code: 'b' }]) {
      assert.throws(() => assertSameSubject(report, { ...subject, ...other }), /start a new run/);
    }
  });
});

describe('explained survivors', () => {
  it('all exist', () => {
    assert.deepEqual(staleExplanations(mutantsOfFolder(sourceFolder)), []);
  });

  it('depend on the line before the change where the line after it could be of another', () => {
    const change = { file: 'libraries/UnitMath.sol', after: 'return a >= b ? a : b;' };
    assert.match(explanationOf({ ...change, before: 'return a > b ? a : b;' }) ?? '', /either is the larger/);
    assert.equal(explanationOf({ ...change, before: 'return a < b ? a : b;' }), undefined);
  });

  it('are told from those that do not exist any more', () => {
    assert.deepEqual(staleExplanations([]), explained);
    assert.equal(explanationOf({ file: 'Vault.sol', before: '', after: 'nothing like it' }), undefined);
  });
});

describe('imports', () => {
  it('are followed through every file, over several lines and in circles', (context) => {
    const root = mkdtempSync(join(tmpdir(), 'imports-'));
    context.after(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, 'test'));
    writeFileSync(join(root, 'test/A.t.sol'), 'import {\n    B\n} from "../B.sol";\nimport {X} from "@x/X.sol";\n');
    writeFileSync(join(root, 'B.sol'), 'import "./C.sol";\n');
    writeFileSync(join(root, 'C.sol'), 'import {B} from "./B.sol";\n');
    writeFileSync(join(root, 'D.sol'), 'contract D {\n    string constant PATH =\n}\n("./E.json";\n');
    assert.ok(reaches(root, 'test/A.t.sol', 'C.sol'));
    assert.ok(reaches(root, 'D.sol', 'D.sol'));
    assert.ok(!reaches(root, 'test/A.t.sol', 'D.sol'));
    assert.ok(!reaches(root, 'D.sol', 'B.sol'), 'a path in code is no import');
  });
});

function mutantAt(position: number): Mutant {
  const text = `a${position}`;
  return { file: 'A.sol', line: position, operator: 'logic', before: text, after: `!${text}`, source: text };
}

function verdictAt(position: number, fate: Fate): Verdict {
  const { source: _source, ...description } = mutantAt(position);
  return { position, ...description, fate };
}
