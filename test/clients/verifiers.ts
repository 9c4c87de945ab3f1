/** The documented verifiers, in the languages that they are shown in: given tokens, each says which it accepts. */
import { execFile } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { snippet } from '../support/readme.ts';
import type { Running } from '../support/service.ts';

export interface Question {
  readonly token: string;
  readonly appId: string;
  readonly mode: 'live' | 'test';
}

/** The `sub` of an accepted token; null for a refused one. */
export type Answer = string | null;

/** Asks the verifier all questions, in their order, in one process: what it remembers of the keys it keeps. */
export type Verifier = (service: Running, questions: readonly Question[]) => Promise<Answer[]>;

const DEBIAN_PYTHON = '/usr/bin/python3';
const ASK = `
import json, sys
for line in sys.stdin:
    q = json.loads(line)
    try:
        print(json.dumps(verify(q["token"], q["appId"], q["mode"])["sub"]), flush=True)
    except jwt.PyJWTError:
        print("null", flush=True)
`;

export const python: Verifier = (service, questions) =>
  new Promise((resolve, reject) => {
    const program = `${snippet('python', service)}${ASK}`;
    const child = execFile(DEBIAN_PYTHON, ['-c', program], (error, out, errors) => {
      if (error) reject(new Error(errors || error.message));
      else
        resolve(
          out
            .trimEnd()
            .split('\n')
            .map(line => JSON.parse(line)),
        );
    });
    child.stdin?.end(questions.map(question => `${JSON.stringify(question)}\n`).join(''));
  });

let asked = 0;

export const typescript: Verifier = async (service, questions) => {
  const code = snippet('server', service).replace(`'jose'`, JSON.stringify(import.meta.resolve('jose')));
  // Each time a module of its own, with nothing remembered from the last.
  const script = `${stripTypeScriptTypes(code)}\n// ${asked++}`;
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  const answers: Answer[] = [];
  for (const { token, appId, mode } of questions) {
    answers.push(
      await verify(token, appId, mode).then(
        (claims: { sub: string }) => claims.sub,
        () => null,
      ),
    );
  }
  return answers;
};
