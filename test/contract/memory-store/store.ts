/**
 * A second implementation of the whole Store port, in plain collections: no SQL, no driver, no file. Each verb is one step that
 * nobody gets into and that is undone when it throws. Its data lasts as long as the process. test/contract/memory.long.test.ts runs
 * the contract on it.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type Recording, type RecordingStore, StoreUnavailable } from '../../../src/ports/store.ts';
import { codeVerbs, profileVerbs } from './accounts.ts';
import { appVerbs } from './apps.ts';
import { appendAudit, auditVerbs } from './audit.ts';
import type { Data } from './data.ts';
import { encoderVerbs, eraseBatch, galleryChanges, galleryState, templatesOf } from './galleries.ts';
import { operatorVerbs } from './operators.ts';
import { dataKeyVerbs } from './sealing.ts';
import { signInVerbs } from './sign-in.ts';
import { tokenVerbs, unreadableSigningKeys } from './tokens.ts';
import { operatingVerbs, retentionVerbs } from './upkeep.ts';

type Later<Verbs> = {
  [Verb in keyof Verbs]: Verbs[Verb] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Answer>
    : never;
};

const PAGE = 100;

export function memoryStore(data: Data, recording: Recording | null = null): RecordingStore {
  let isClosed = false;
  let isRecorded = recording === null;
  const handle = {};

  function record(): void {
    if (recording && !isRecorded) appendAudit(data, { ...recording, outcome: 'ok' });
    isRecorded = true;
  }

  /** One step, after those that were asked for before it. */
  async function step<Answer>(work: () => Answer): Promise<Answer> {
    await turn();
    if (isClosed) throw new StoreUnavailable(handle);
    return data.undo.step(() => {
      const answer = work();
      if (data.undo.changes > 0) record();
      return answer;
    });
  }

  function later<Verbs extends object>(verbs: Verbs): Later<Verbs> {
    const all = Object.entries(verbs).map(([name, verb]) => [
      name,
      (...given: unknown[]) => step(() => verb(...given)),
    ]);
    return Object.fromEntries(all);
  }

  return {
    ...later(appVerbs(data)),
    ...later(signInVerbs(data)),
    ...later(codeVerbs(data)),
    ...later(profileVerbs(data)),
    ...later(tokenVerbs(data)),
    ...later(retentionVerbs(data)),
    ...later(operatingVerbs(data)),
    ...later(dataKeyVerbs(data)),
    ...later(encoderVerbs(data)),
    ...later(operatorVerbs(data)),
    ...later(auditVerbs(data)),
    recording: entry => memoryStore(data, entry),
    recordUnchanged: () => step(record),

    loadGallery: (gallery, since) =>
      step(() => {
        const to = galleryState(data, gallery).sequence;
        const wanted = templatesOf(data, gallery).filter(row => row.sequence > since && row.sequence <= to);
        async function* pages() {
          for (let from = since; from < to; ) {
            const end = Math.min(to, from + PAGE);
            if ((await step(() => galleryState(data, gallery).sequence)) < to) return;
            yield await step(() => galleryChanges(data, gallery, from, PAGE, end));
            from = end;
          }
        }
        return { templates: wanted.length, pages: pages() };
      }),

    async eraseTemplates(gallery, next, at, tell = () => undefined) {
      let erased = 0;
      for (;;) {
        const batch = await step(() => eraseBatch(data, gallery, next, at));
        erased += typeof batch === 'number' ? batch : batch.erasedTemplates;
        tell(erased);
        if (typeof batch !== 'number') return { ...batch, erasedTemplates: erased };
      }
    },

    ping: () => step(() => undefined),
    probe: () => step(() => undefined),
    figures: () =>
      step(() => ({
        file: null,
        writesWaiting: 0,
        unjournaled: 0,
        unreadableSigningKeys: unreadableSigningKeys(data),
        plantedRows: 0,
      })),
    file: null,
    minutes: null,
    entries: null,
    nodes: null,
    alone: (_, work) => work(new AbortController().signal),
    async close() {
      isClosed = true;
    },
  };
}
