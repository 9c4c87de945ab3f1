/**
 * Adds a template of a person who was only just recognised and has agreed. They are already signed in and stay signed
 * in. A failure is shown, but it is not an error of the sign-in. Held by test/browser/element-learn.test.ts.
 */
import type { CaptureSettings, Client, TemplatesAdded } from '../client-types.ts';
import type { FaceSignInError } from '../errors.ts';
import type { Strings } from './strings.ts';
import type { DoneActions, State } from './views.ts';
import type { Work } from './work.ts';

/** The parts of the component that are needed here. */
export interface Host {
  client(): Client;
  strings(): Strings;
  capture(signal: AbortSignal): Promise<CaptureSettings>;
  show(state: State): void;
  status(text: string): void;
  learned(session: TemplatesAdded): void;
  failed(error: FaceSignInError): void;
}

export interface Learning extends DoneActions {
  /** Shows the end of a sign-in. @param asks whether to ask the question */
  done(email: string, asks: boolean): void;
  /** Closes the question or its camera. @param status says why */
  end(status?: string): void;
}

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
      host.show({ view: 'done', email, asks });
    },
    end,
    notNow: () => end(),
    learn() {
      host.show({ view: 'camera', task: 'learn' });
      void work.run(
        async signal => {
          const capture = await host.capture(signal);
          const session = await host.client().addTemplates({ signal, capture });
          end(host.strings().learned);
          host.learned(session);
        },
        error => {
          end(host.strings().learnFailed);
          host.failed(error);
        },
      );
    },
  };
}
