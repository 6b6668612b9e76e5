import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isWellFormed } from '../../tools/mutation/compileVault.ts';
import { explained, explanationOf, staleExplanations } from '../../tools/mutation/explained.ts';
import { reaches } from '../../tools/mutation/imports.ts';
import { type Mutant, mutantsOf, mutantsOfFolder, shuffled, withRoundingDown } from '../../tools/mutation/mutantsOf.ts';
import { mutationPage } from '../../tools/mutation/mutationPage.ts';
import {
  isDueAgain,
  type JudgedOn,
  type MutantResult,
  type MutantStatus,
  readResults,
  reportOf,
  resultOf,
  runsOf,
  writeResults,
} from '../../tools/mutation/report.ts';
import { Sample } from '../../tools/mutation/sample.ts';
import { changesVault } from '../../tools/mutation/vaultSources.ts';
import { Workspace } from '../../tools/mutation/workspace.ts';

const judgedOn: JudgedOn = {
  date: '2026-01-01',
  codeDigest: 'a'.repeat(16),
  testsDigest: 't'.repeat(16),
  files: { 'A.sol': 'one' },
};
const sourceFolder = join(import.meta.dirname, '../../src');
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
    ['return UnitMath.min(a, a);', ['minimum: return UnitMath.max(a, a);']],
    ['return UnitMath.max(a, a);', ['minimum: return UnitMath.min(a, a);']],
    ['return UnitMath.multiplyDivideUp(a, a, a);', ['rounding: return UnitMath.multiplyDivideDown(a, a, a);']],
    ['return Rounding.Ceil;', ['rounding: return Rounding.Floor;']],
    ['return Rounding.Floor;', ['rounding: return Rounding.Ceil;']],
    ['return UnitMath.subtractOrZero(a, a);', ['clamp: return UnitMath.max(a, a);']],
    ['return 7;', ['constant: return (7 + 1);', 'constant: return (7 - 1);']],
    ['return 0;', ['constant: return (0 + 1);']],
    ['return GRACE_SECONDS;', ['constant: return (GRACE_SECONDS + 1);', 'constant: return (GRACE_SECONDS - 1);']],
    ['if (a) revert Late();', ['check left out: ']],
    ['if (a) return;', ['check left out: ']],
    ['revert Late();', ['statement left out: ']],
    ['emit Paid(a);', ['statement left out: ']],
    ['emit Paid(a, b);', ['statement left out: ', 'arguments swapped: emit Paid(b, a);']],
    ['return f(a, g(b, c));', ['arguments swapped: return f(g(b, c), a);', 'arguments swapped: return f(a, g(c, b));']],
    ['return f(a, a);', []],
    ['return f({a: b, c: d});', []],
    [
      'return (a * b) / c;',
      ['arithmetic: return (a / b) / c;', 'arithmetic: return (a * b) * c;', 'rounding: return (a * b + c - 1) / c;'],
    ],
    ['return Math.mulDiv(a, a, a);', ['rounding: return Math.mulDiv(a, a, a, Math.Rounding.Ceil);']],
    [
      'return Purpose.Open;',
      ['Close', 'Unwind', 'Liquidate', 'None'].map((purpose) => `purpose: return Purpose.${purpose};`),
    ],
    ['return IVault.PositionState.Settled;', ['state: return IVault.PositionState.Liquidated;']],
    ['return Role.Oracle;', ['role: return Role.Keeper;']],
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

  it('are known by the function they change: whatever happens around it, and whatever its comments say', () => {
    const functionOf = (name: string, comment = '') =>
      `    function ${name}() external {${comment}\n        return a < b;\n    }\n`;
    const idsOf = (...functions: readonly string[]) =>
      mutantsOf('A.sol', `contract A {\n${functions.join('\n')}}\n`).map(({ id }) => id);
    const [f, g] = [idsOf(functionOf('f')), idsOf(functionOf('g'))];
    assert.equal(new Set([...f, ...g]).size, 4);
    assert.deepEqual(idsOf(functionOf('g'), functionOf('f', ' // as before')), [...g, ...f]);
    assert.notDeepEqual(idsOf(functionOf('f').replace('return', 'c = 1; return')).slice(-2), f);
    assert.notDeepEqual(mutantsOf('B.sol', `contract A {\n${functionOf('f')}}\n`)[0]?.id, f[0]);
    const ofConstant = (code: string) => mutantsOf('A.sol', `uint256 constant ONE = 1;\n${code}`)[0]?.id;
    assert.equal(ofConstant(''), ofConstant('uint256 constant TWO = 2;\n'));
    const all = mutantsOfFolder(sourceFolder);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length, 'no two are one');
  });

  it('come from every kind of change, and from no interface', () => {
    const mutants = mutantsOfFolder(sourceFolder);
    const tokens = ['comparison', 'arithmetic', 'logic', 'minimum', 'rounding', 'clamp', 'modifier', 'constant'];
    const kinds = [...tokens, 'purpose', 'state', 'role', 'check left out', 'statement left out', 'arguments swapped'];
    for (const kind of kinds) {
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
  const statusAt = (position: number): MutantStatus => {
    if (position % 4 === 3) return 'same code';
    if (position % 9 === 5) return 'does not compile';
    return position % 7 === 2 ? 'survived' : 'killed';
  };
  /** Judges with so many at a time, the latest begun first; stops after so many results. */
  const judgeWith = (sample: Sample, workers: number, limit = Number.POSITIVE_INFINITY) => {
    const underWay: number[] = [];
    for (let judged = 0; judged < limit; judged += 1) {
      while (underWay.length < workers) {
        const position = sample.next();
        if (position === undefined) break;
        underWay.push(position);
      }
      const position = underWay.pop();
      if (position === undefined) break;
      sample.record(position, { status: statusAt(position) });
    }
    return reportOf({ seed: 1, mutantsInAll: mutants.length }, sample.results);
  };
  /** Survivors are due again, as if no one had explained them. */
  const isDue = (result: MutantResult) => result.status === 'survived' || result.status === 'not judged';
  const sampleOf = (wanted: number, results: readonly MutantResult[] = []) =>
    new Sample(mutants, { wanted, judgedOn }, { results, isDue });

  it('is the same however many are judged side by side', () => {
    const alone = judgeWith(sampleOf(20), 1);
    assert.equal(alone.judged, 20);
    for (const workers of [2, 3, 8]) assert.deepEqual(judgeWith(sampleOf(20), workers), alone);
  });

  it('continues where a run stopped, as if it had not', () => {
    const whole = judgeWith(sampleOf(20), 3);
    for (const stoppedAfter of [1, 7, 19]) {
      const part = judgeWith(sampleOf(20), 3, stoppedAfter);
      assert.deepEqual(judgeWith(sampleOf(20, part.results), 2), whole);
    }
  });

  it('judges once more what could not be judged, then takes new ones, then looks at survivors once more', () => {
    const earlier = [resultAt(0, 'killed'), resultAt(1, 'survived'), resultAt(2, 'not judged')];
    const sample = sampleOf(4, earlier);
    assert.deepEqual([sample.next(), sample.next(), sample.next(), sample.next()], [2, 3, 1, undefined]);
    sample.record(1, { status: 'killed', by: 'a new test' });
    sample.record(2, { status: 'not judged', by: 'no memory' });
    assert.equal(sample.next(), 4);
    assert.equal(sample.results.find(({ position }) => position === 1)?.by, 'a new test');
  });

  it('ends with the list', () => {
    const report = judgeWith(sampleOf(1000), 4);
    assert.equal(report.results.length, mutants.length);
  });
});

describe('mutation report', () => {
  const subject = { seed: 1, mutantsInAll: 40 };
  const mutants = Array.from({ length: 40 }, (_, index) => mutantAt(index));
  const fileFor = (context: TestContext) => {
    const folder = mkdtempSync(join(tmpdir(), 'results-'));
    context.after(() => rmSync(folder, { recursive: true }));
    return join(folder, 'mutation.json');
  };

  it('scores killed of judged, and beside it without what no test can kill', () => {
    const limit = { file: 'libraries/OrderStatus.sol', after: 'uint256 private constant GAS_LIMIT = (100_000 + 1);' };
    const report = reportOf(subject, [
      resultAt(4, 'survived'),
      { ...resultAt(3, 'survived'), ...limit },
      resultAt(2, 'killed'),
      resultAt(1, 'same code'),
      resultAt(0, 'does not compile'),
      resultAt(5, 'not judged'),
    ]);
    assert.equal(report.judged, 3);
    assert.equal(report.killed, 1);
    assert.equal(report.explained, 1);
    assert.equal(report.scorePercent, 33.3);
    assert.equal(report.scoreWithoutExplainedPercent, 50);
    assert.deepEqual([report.sameCode, report.doesNotCompile, report.notJudged], [1, 1, 1]);
    assert.deepEqual(
      report.results.map(({ position }) => position),
      [0, 1, 2, 3, 4, 5],
    );
  });

  it('keeps results that are read as they were written, and absent when there are none', (context) => {
    const path = fileFor(context);
    assert.equal(readResults(path, mutants), undefined);
    const results = [{ ...resultAt(3, 'killed'), by: 'a test' }, resultAt(7, 'survived')];
    writeResults(path, subject, results.toReversed());
    assert.deepEqual(readResults(path, mutants), results);
  });

  it('finds results by their mutants, wherever these stand in the list now, and forgets those that are gone', (context) => {
    const path = fileFor(context);
    writeResults(path, subject, [resultAt(3, 'killed'), resultAt(7, 'survived'), resultAt(9, 'same code')]);
    const found = readResults(path, [mutantAt(9), mutantAt(50), mutantAt(3)]);
    assert.deepEqual(
      found?.map(({ position, after, status }) => [position, after, status]),
      [
        [0, '!a9', 'same code'],
        [2, '!a3', 'killed'],
      ],
    );
  });

  it('says of every result on what it was judged, the latest first', (context) => {
    const path = fileFor(context);
    const later = { ...judgedOn, date: '2026-01-02', codeDigest: 'b'.repeat(16) };
    writeResults(path, subject, [resultAt(3, 'killed'), { ...resultAt(4, 'killed'), judgedOn: later }]);
    const found = readResults(path, mutants) ?? [];
    assert.deepEqual(
      found.map((result) => result.judgedOn),
      [judgedOn, later],
    );
    assert.deepEqual(runsOf(found), [later, judgedOn]);
    const page = mutationPage(reportOf(subject, found), later);
    assert.match(page, /\| 2026-01-02 \| `b{16}` \| `t{16}` \| 1 \|\n\| 2026-01-01 \| `a{16}` \| `t{16}` \| 1 \|/);
  });
});

describe('results that are found once more', () => {
  const explainedSurvivor: MutantResult = {
    ...resultAt(0, 'survived'),
    file: 'libraries/UnitMath.sol',
    before: 'return a > b ? a : b;',
    after: 'return a >= b ? a : b;',
  };
  const reaches = (_from: string, to: string) => to === 'imported.sol';
  const changed = (file: string): JudgedOn => ({ ...judgedOn, files: { ...judgedOn.files, [file]: 'other' } });

  it('are those that say nothing, and survivors that no one explains', () => {
    assert.ok(isDueAgain(resultAt(1, 'not judged'), judgedOn, reaches));
    assert.ok(isDueAgain(resultAt(1, 'survived'), judgedOn, reaches));
    for (const status of ['killed', 'same code', 'does not compile'] as const) {
      assert.ok(!isDueAgain(resultAt(1, status), changed('A.sol'), reaches), status);
    }
  });

  it('are explained survivors whose source has changed since, or one that it imports', () => {
    assert.ok(!isDueAgain(explainedSurvivor, judgedOn, reaches));
    assert.ok(isDueAgain(explainedSurvivor, changed('libraries/UnitMath.sol'), reaches));
    assert.ok(isDueAgain(explainedSurvivor, changed('imported.sol'), reaches));
    assert.ok(!isDueAgain(explainedSurvivor, changed('B.sol'), reaches));
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

  it('are distinguished from those that do not exist any more', () => {
    assert.deepEqual(staleExplanations([]), explained);
    assert.equal(explanationOf({ file: 'Vault.sol', before: '', after: 'nothing like it' }), undefined);
  });
});

describe("the vault's own code", () => {
  const root = join(sourceFolder, '..');
  /** The line of a text in a source. */
  const placeOf = (path: string, text: string) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    const line = lines.findIndex((one) => one.includes(text)) + 1;
    assert.ok(line > 0, text);
    return { path, line };
  };

  it('changes with what it imports, and of a linked library with the internal function it calls', () => {
    assert.ok(changesVault(root, placeOf('src/VaultRoles.sol', 'openingPaused = true')));
    assert.ok(changesVault(root, placeOf('src/libraries/PositionMath.sol', 'position.since')));
    assert.ok(changesVault(root, placeOf('src/OrderRules.sol', 'feeRateBps > MAX_VENUE_FEE_BPS')));
  });

  it('stays when a linked library changes behind its calls', () => {
    assert.ok(!changesVault(root, placeOf('src/OrderRules.sol', 'a.exitBufferBps > MAX_EXIT_BUFFER_BPS')));
    assert.ok(!changesVault(root, placeOf('src/Settlement.sol', 'uint256 left = principal')));
    assert.ok(!changesVault(root, placeOf('src/LiquidityPool.sol', 'uint256 free = freeLiquidity()')));
    assert.ok(!changesVault(root, placeOf('src/libraries/Waterfall.sol', 'uint256 rest')));
  });
});

describe('the workspace', () => {
  it('compiles its tests, which deploy the code of a mutant', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'workspace-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const { root } = Workspace.make(folder);
    const deploying = readFileSync(join(root, 'test/fixtures/DeployedVault.sol'), 'utf8');
    assert.match(deploying, /vm\.etch\(address\(0x/);
    for (const test of ['test/attacks/FillAttacks.t.sol', 'test/unit/money/Money.t.sol']) {
      assert.ok(isWellFormed(root, test), test);
    }
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
    assert.ok(reaches(root, ['test/A.t.sol', 'C.sol']));
    assert.ok(reaches(root, ['D.sol', 'D.sol']));
    assert.ok(!reaches(root, ['test/A.t.sol', 'D.sol']));
    assert.ok(!reaches(root, ['D.sol', 'B.sol']), 'a path in code is no import');
    assert.ok(!reaches(root, ['test/A.t.sol', 'C.sol'], ['B.sol']), 'what is behind a linked library is not reached');
  });
});

function mutantAt(position: number): Mutant {
  const text = `a${position}`;
  const edit = { from: 0, to: 0, text: '!' };
  const id = `id${position}`;
  return { id, file: 'A.sol', line: position, operator: 'logic', before: text, after: `!${text}`, source: text, edit };
}

function resultAt(position: number, status: MutantStatus): MutantResult {
  return resultOf(position, mutantAt(position), { status, judgedOn });
}
