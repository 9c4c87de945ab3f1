/**
 * Reads that are short: those that come together share a connection and one system call. Each is a piece of its own, so
 * one that fails fails alone. Held by test/postgres/together.ts.
 */
import { asUnavailable, isServerFault } from './faults.ts';
import type { Outcome, Statement, Statements } from './statements.ts';

type Asked = Statement & PromiseWithResolvers<Outcome>;

export function createShortReads(
  onConnection: (work: (statements: Statements) => Promise<unknown>) => Promise<unknown>,
): Statements['perform'] {
  let waiting: Asked[] = [];

  function performAll(): void {
    const asked = waiting;
    waiting = [];
    const performed = ({ perform, endPiece }: Statements) =>
      Promise.all(
        asked.map(({ text, values, resolve, reject }) => {
          endPiece();
          return perform(text, values).then(resolve, error => {
            reject(asUnavailable(error));
            // The connection may be of no more use.
            if (isServerFault(error)) throw error;
          });
        }),
      );
    onConnection(performed).catch(error => {
      for (const { reject } of asked) reject(error);
    });
  }

  return (text, values) => {
    const asked = { text, values, ...Promise.withResolvers<Outcome>() };
    if (waiting.push(asked) === 1) setImmediate(performAll);
    return asked.promise;
  };
}
