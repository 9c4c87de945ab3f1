/** The gate of the search bench: right answers pass, and every kind of wrong one is seen and voids the run. */
import * as assert from 'uvu/assert';
import { type Answer, type Engine, type Rule, unit } from '../../bench/engines.ts';
import type { Data, Kind } from '../../bench/search/data.ts';
import { wrongDecisions } from '../../bench/search/decisions.ts';
import type { Expected, Query } from '../../bench/search/expected.ts';
import { judge, verdictOf } from '../../bench/search/gate.ts';
import { gate } from '../../bench/search/run.ts';
import { reference } from '../matcher/reference.ts';
import { suite } from '../support/suite.ts';
import { benchQueries } from './queries.ts';

const test = suite('bench, gate');
const N = 600;

const asked = (data: Data, kind: Kind, q: number) => {
  const { gallery: of, queries } = benchQueries(data, N, kind, q);
  return { of, queries };
};

const asAnswer = (expected: Expected): Answer => ({ ...expected, verdict: verdictOf(expected) });

function engine(rule: Rule, answer: (query: Query) => Answer): Engine {
  return {
    name: 'planted',
    settings: '',
    threads: 1,
    rule,
    about: '',
    bytes: 0,
    load_s: 0,
    turn: async ({ queries, order }) => order.map(i => ({ ms: 0, answer: answer(queries[i] as Query) })),
    close: () => {},
  };
}

test('the expected answers are those of the reference of the tests, ties and several templates included', () => {
  for (const data of ['easy', 'hard', 'families', 'near-duplicates'] as const)
    for (const q of [1, 3]) {
      const { of, queries } = asked(data, 'genuine', q);
      const stored = Array.from({ length: N }, (_, i) => ({
        id: String(i),
        userId: String(of.users[i]),
        vector: of.vectors.subarray(i * 128, (i + 1) * 128),
      }));
      for (const { units, expected } of queries) {
        const { best, otherDistance, verdict } = reference(stored, units);
        assert.is(String(expected.template), best?.templateId, data);
        assert.is(expected.distance, best?.distance, data);
        assert.is(expected.otherDistance, otherDistance, data);
        assert.is(verdictOf(expected), verdict, data);
      }
    }
});

test('an engine that is right passes, also when it leaves out what cannot matter', async () => {
  for (const kind of ['genuine', 'stranger'] as const) {
    const { of, queries } = asked('easy', kind, 1);
    const answers: ((query: Query) => Answer)[] = [
      ({ expected }) => asAnswer(expected),
      ({ expected }) => ({ ...asAnswer(expected), otherDistance: Number.POSITIVE_INFINITY }),
    ];
    if (kind === 'stranger')
      answers.push(() => ({ template: -1, distance: Number.POSITIVE_INFINITY, verdict: 'none' }));
    for (const answer of answers) {
      const judged = await gate([engine('core', answer)], of, { q: 1, kind }, queries);
      assert.is(judged[0]?.recall, 1);
      assert.is(judged[0]?.mismatches, 0);
    }
  }
});

test('one wrong answer of the core voids the run: template, distance, decision or other user', async () => {
  const { of, queries } = asked('families', 'genuine', 1);
  const wrong: ((right: Answer) => Answer)[] = [
    right => ({ ...right, template: right.template + 1 }),
    right => ({ ...right, distance: right.distance + 2e-6 }),
    right => ({ ...right, verdict: 'near' }),
    right => ({ ...right, otherDistance: right.distance + 0.01 }),
  ];
  for (const change of wrong) {
    const planted = engine('core', query =>
      query === queries[3] ? change(asAnswer(query.expected)) : asAnswer(query.expected),
    );
    try {
      await gate([planted], of, { q: 1, kind: 'genuine' }, queries);
      assert.unreachable();
    } catch (error) {
      assert.match((error as Error).message, /planted is wrong in 1 of 8 queries .*no figure is shown/);
    }
  }
});

test('where another user decides, it has to be reported', () => {
  const { of, queries } = asked('near-duplicates', 'genuine', 1);
  assert.ok(queries.every(({ expected }) => verdictOf(expected) === 'ambiguous'));
  const silent = queries.map(({ expected }) => ({
    ...asAnswer(expected),
    otherDistance: Number.POSITIVE_INFINITY,
  }));
  assert.is(judge('core', of, queries, silent).mismatches, queries.length);
});

test('a peer may round, and no more; only one that promises exactness voids the run', async () => {
  const { of, queries } = asked('near-duplicates', 'genuine', 1);
  const copy = queries.map(({ expected }) => ({ template: expected.template, distance: 0 }));
  assert.is(judge('exact', of, queries, copy).recall, 1);
  const far = queries.map((_, i) => ({ template: i === 0 ? 5 : -1, distance: 0 }));
  assert.ok(judge('approximate', of, queries, far).mismatches >= queries.length - 1);
  const lazy = (rule: Rule) => engine(rule, () => ({ template: -1, distance: 0 }));
  const judged = await gate([lazy('approximate')], of, { q: 1, kind: 'genuine' }, queries);
  assert.is(judged[0]?.recall, 0);
  let refused = false;
  await gate([lazy('exact')], of, { q: 1, kind: 'genuine' }, queries).catch(() => {
    refused = true;
  });
  assert.ok(refused);
});

test('decisions that differ from the exact ones are counted, where the answers say enough', async () => {
  const { of, queries } = asked('families', 'genuine', 1);
  const right = ({ expected: { template, distance, otherDistance } }: Query): Answer => ({
    template,
    distance,
    otherDistance,
  });
  const exact = { ...engine('exact', right), decide: async () => queries.map(right) };
  const wrongOf = async (answer: (query: Query, first: boolean) => Answer) => {
    const planted = engine('approximate', query => answer(query, query === queries[0]));
    return (await wrongDecisions([planted, exact], of.users, queries))[0];
  };
  const far = { template: -1, distance: Number.POSITIVE_INFINITY, otherDistance: Number.POSITIVE_INFINITY };
  const another = of.users.findIndex(user => user !== queries[0]?.expected.user);
  assert.is(await wrongOf(right), 0);
  assert.is(await wrongOf((query, first) => (first ? far : right(query))), 1);
  assert.is(
    await wrongOf((query, first) => ({ ...right(query), ...(first ? { template: another } : {}) })),
    1,
  );
  assert.is(await wrongOf(({ expected: { template, distance } }) => ({ template, distance })), null);
  assert.equal(await wrongDecisions([engine('approximate', right), exact], of.users, queries), [0, null]);
  assert.equal(await wrongDecisions([engine('approximate', right)], of.users, queries), [null]);
});

test('normalising for peers and for the reference agree', () => {
  const { queries } = asked('easy', 'genuine', 1);
  for (const { raw, units } of queries)
    for (const [i, value] of unit(raw[0] ?? []).entries())
      assert.ok(Math.abs(value - (units[0]?.[i] ?? 0)) < 1e-7);
});

test.run();
