/**
 * The end of a sign-in, with a question where there is one. A question is a row here, its texts, and an action. Held by
 * test/browser/element-learn.test.ts.
 */
import { withAddress } from './address.ts';
import { button, type Child, h } from './dom.ts';
import type { Strings } from './strings.ts';

/** What a person is asked who is signed in. */
export type Question = 'learn';

/** Somebody is signed in, and may be asked something. */
export interface Done {
  readonly view: 'done';
  readonly email: string;
  readonly question?: Question;
}

export interface DoneActions {
  /** Remembers how the person looks today. */
  learn(): void;
  /** Leaves a question, or the camera after one, for the plain end. */
  notNow(): void;
}

interface DoneContext {
  readonly strings: Strings;
  readonly act: DoneActions;
}

interface Asking {
  readonly body: readonly Child[];
  readonly actions: readonly HTMLElement[];
}

const QUESTIONS: Readonly<Record<Question, (context: DoneContext) => Asking>> = {
  learn: ({ strings, act }) => ({
    body: [h('p', { class: 'question' }, strings.learnOffer), h('p', { class: 'soft' }, strings.learnText)],
    actions: [
      button(strings.learnButton, 'main', act.learn),
      button(strings.learnLater, 'plain', act.notNow),
    ],
  }),
};

export function doneView({ email, question }: Done, context: DoneContext) {
  const { strings } = context;
  const asking = question && QUESTIONS[question](context);
  return {
    title: strings.doneTitle,
    body: [h('p', {}, ...withAddress(strings.doneText, email)), ...(asking?.body ?? [])],
    actions: asking?.actions ?? [],
  };
}
