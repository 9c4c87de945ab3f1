/**
 * One case of the fuzz: an operation, a valid body for it, and one to three changes, all of it plain data that depends
 * on seed and index alone. What a running service has to add (challenge, face, key, token) comes from the builder.
 * One in twelve is a control: it is not changed, and has to succeed.
 */
import fc from 'fast-check';
import type { Mode } from '../support/client.ts';
import { addressMutation, changeAddress } from './address-mutations.ts';
import { bodyMutation, changeBody } from './body-mutations.ts';
import type { Change } from './change.ts';
import { OPERATIONS, type Operation, weightOf } from './operations.ts';
import { type Draft, toWire, type Wire } from './request.ts';
import { valid } from './schema-values.ts';
import { byteMutation, changeBytes, changeHeaders, headerMutation } from './wire-mutations.ts';

export interface Mutation {
  readonly on: 'body' | 'address' | 'bytes' | 'headers';
  readonly change: Change;
}

export interface Case {
  readonly operation: Operation;
  readonly mode: Mode;
  /** By the session cookie, where the operation takes it. */
  readonly cookie: boolean;
  /** The part of the body that is not held by the service. */
  readonly fields: Record<string, unknown>;
  /** None: a control. */
  readonly mutations: readonly Mutation[];
}

function caseOf(operation: Operation): fc.Arbitrary<Case> {
  const mutation = mutationOf(operation);
  const count = fc.noBias(fc.constantFrom(1, 1, 1, 1, 1, 2, 2, 3));
  const mutations = fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 11, arbitrary: count.chain(n => fc.array(mutation, { minLength: 1, maxLength: n })) },
  );
  return fc.record({
    operation: fc.constant(operation),
    // Enrolling in test mode is capped: it would soon be refused for that.
    mode: fc.constantFrom<Mode>('live', 'live', 'live', operation.path === '/v1/enroll' ? 'live' : 'test'),
    cookie: fc.boolean(),
    fields: operation.body
      ? (valid(operation.body) as fc.Arbitrary<Record<string, unknown>>)
      : fc.constant({}),
    mutations,
  });
}

function mutationOf(operation: Operation): fc.Arbitrary<Mutation> {
  const on = (place: Mutation['on'], weight: number, arbitrary: fc.Arbitrary<Change>) => ({
    weight,
    arbitrary: arbitrary.map(change => ({ on: place, change })),
  });
  const fielded = operation.parameters.length > 0;
  return fc.oneof(
    on('body', operation.body ? 80 : 0, bodyMutation),
    on('bytes', operation.body ? 8 : 4, byteMutation),
    on('headers', 7, headerMutation),
    on('address', fielded ? 50 : 5, addressMutation(operation)),
  );
}

const anyCase: fc.Arbitrary<Case> = fc.oneof(
  ...OPERATIONS.map(operation => ({ weight: weightOf(operation), arbitrary: caseOf(operation) })),
);

/** A seed of its own for each case, so that one can be had without those before it. */
export const seedOf = (seed: number, index: number) =>
  Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca77);

export const caseAt = (seed: number, index: number): Case =>
  fc.sample(anyCase, { seed: seedOf(seed, index), numRuns: 1 })[0] as Case;

export const controlOf = (operation: Operation): Case => ({
  ...(fc.sample(caseOf(operation), { seed: 1, numRuns: 1 })[0] as Case),
  mode: 'live',
  mutations: [],
});

/** The smallest changes that still fail, and why: fast-check takes the case at this place apart. */
export async function smallest(
  seed: number,
  index: number,
  fails: (one: Case) => Promise<string | null>,
): Promise<string | null> {
  const property = fc.asyncProperty(anyCase, async one => {
    const fault = await fails(one);
    if (fault !== null) throw new Error(fault);
  });
  const found = await fc.check(property, {
    seed: seedOf(seed, index),
    numRuns: 1,
    interruptAfterTimeLimit: 20_000,
  });
  return found.failed ? String((found.errorInstance as Error | null)?.message ?? 'interrupted') : null;
}

/** Applies the changes from the inside out, whatever their order. */
export function mutated(draft: Draft, mutations: readonly Mutation[]): Wire {
  const apply = <On>(place: Mutation['on'], to: On, change: (to: On, change: Change) => void) => {
    for (const one of mutations) if (one.on === place) change(to, one.change);
  };
  apply('body', draft, changeBody);
  apply('address', draft, changeAddress);
  const wire = toWire(draft);
  apply('bytes', wire, changeBytes);
  apply('headers', wire, changeHeaders);
  return wire;
}
