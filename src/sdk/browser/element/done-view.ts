/**
 * The end of a sign-in, perhaps with a question. A new question needs a row here, its texts and an action. Held by
 * test/browser/element-learn.test.ts.
 */
import { withAddress } from './address.ts';
import { button, type Child, h } from './dom.ts';
import type { Strings } from './strings.ts';

/** Questions for the signed-in person. */
type Question = 'learn';

export interface Done {
  readonly view: 'done';
  readonly email: string;
  readonly question?: Question;
}

export interface DoneActions {
  /** Adds pictures of how the person looks today. */
  learn(): void;
  /** Closes the question, or its camera. */
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
      button(strings.learnLater, 'plain ends', act.notNow),
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
