/**
 * One case of the fuzz: an operation, a valid body for it, and one to three changes, all of it plain data that depends
 * on seed and index alone. What a running service has to add (challenge, face, key, token) comes from the builder.
 * One in twelve is a control: it is not changed, and has to succeed.
 */
import fc from 'fast-check';
import type { Mode } from '../support/client.ts';
import { type AddressMutation, addressMutation, changeAddress } from './address-mutations.ts';
import { type BodyMutation, bodyMutation, changeBody } from './body-mutations.ts';
import { type ByteMutation, byteMutation, changeBytes } from './byte-mutations.ts';
import { changeHeaders, type HeaderMutation, headerMutation } from './header-mutations.ts';
import { OPERATIONS, type Operation, weightOf } from './operations.ts';
import { type Draft, toWire, type Wire } from './request.ts';
import { valid } from './schema-values.ts';

export type Mutation =
  | { on: 'body'; change: BodyMutation }
  | { on: 'bytes'; change: ByteMutation }
  | { on: 'headers'; change: HeaderMutation }
  | { on: 'address'; change: AddressMutation };

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
  const on = <On extends Mutation['on'], T>(place: On, weight: number, arbitrary: fc.Arbitrary<T>) => ({
    weight,
    arbitrary: arbitrary.map(change => ({ on: place, change })) as fc.Arbitrary<Mutation>,
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
  for (const { on, change } of mutations) if (on === 'body') changeBody(draft, change);
  for (const { on, change } of mutations) if (on === 'address') changeAddress(draft, change);
  const wire = toWire(draft);
  for (const { on, change } of mutations) if (on === 'bytes') changeBytes(wire, change);
  for (const { on, change } of mutations) if (on === 'headers') changeHeaders(wire, change);
  return wire;
}
