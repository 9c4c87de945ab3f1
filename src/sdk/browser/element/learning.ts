/**
 * Remembers how a person looks today, who was nearly not recognised and has agreed. They are signed in already, and stay so
 * whatever happens here: a failure is said, and is no error of the sign-in. Held by test/browser/element-learn.test.ts.
 */
import type { CaptureSettings, Client, TemplatesAdded } from '../client-types.ts';
import type { DoneActions } from './done-view.ts';
import type { Strings } from './strings.ts';
import type { State } from './views.ts';
import type { Work } from './work.ts';

/** The component, as far as it is needed here. */
export interface Host {
  client(): Client;
  strings(): Strings;
  capture(signal: AbortSignal): CaptureSettings;
  show(state: State): void;
  status(text: string): void;
  learned(session: TemplatesAdded): void;
}

export interface Learning extends DoneActions {
  /** Whose sign-in this is about; asks where there is something to ask. */
  done(email: string, asks: boolean): void;
  /** Back to the plain end, with a word on why. */
  end(status?: string): void;
}

/** The service takes all of these pictures or none, and a third says little that two do not. */
const PICTURES = 2;

export function learning(host: Host, work: Work): Learning {
  let email = '';

  function end(status = ''): void {
    work.stop();
    host.show({ view: 'done', email });
    host.status(status);
  }

  return {
    done(address, asks) {
      email = address;
      host.show({ view: 'done', email, ...(asks && { question: 'learn' }) });
    },
    end,
    notNow: () => end(),
    learn() {
      host.show({ view: 'camera', task: 'learn' });
      void work.run(
        async signal => {
          const capture = { ...host.capture(signal), count: PICTURES };
          const session = await host.client().addTemplates({ signal, capture });
          end(host.strings().learned);
          host.learned(session);
        },
        () => end(host.strings().learnFailed),
      );
    },
  };
}
