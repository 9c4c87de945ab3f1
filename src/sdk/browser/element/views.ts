/**
 * The view of each state of the component: a title, a body and buttons, as DOM. The component provides the actions of
 * the buttons. Held by test/browser/element.test.ts, test/browser/element-learn.test.ts and, for its looks,
 * test/browser/element-looks.test.ts.
 */
import type { FaceSignInErrorCode } from '../errors.ts';
import { button, type Child, h, withAddress } from './dom.ts';
import { form, textField, tickField } from './fields.ts';
import type { Strings } from './strings.ts';

export type Mode = 'enroll' | 'sign-in';

/** The purpose of the camera. */
type Task = Mode | 'learn';

/** The end of a sign-in, perhaps with the question whether to remember how the person looks today. */
interface Done {
  readonly view: 'done';
  readonly email: string;
  readonly asks?: boolean;
}

export interface DoneActions {
  /** Adds pictures of how the person looks today. */
  learn(): void;
  /** Closes the question, or its camera. */
  notNow(): void;
}

/** A view that is loaded later. */
interface Later {
  readonly view: 'code' | 'confirm' | 'owner' | 'erase' | 'not_erased' | 'erased';
  render(context: Context): View;
}

export type State =
  | Later
  | { readonly view: 'start' }
  | { readonly view: 'camera'; readonly task: Task }
  | { readonly view: 'email' }
  | { readonly view: 'problem'; readonly code: FaceSignInErrorCode }
  | Done;

/** What the person has typed, kept while other views are shown. */
export interface Typed {
  email: string;
  name: string;
  agreed: boolean;
}

export interface Actions extends DoneActions {
  signIn(): void;
  enroll(): void;
  switchTo(mode: Mode): void;
  toEmailCode(): void;
  sendCode(email: string): void;
  back(): void;
  retry(): void;
}

export interface Context {
  readonly strings: Strings;
  readonly language: string;
  readonly mode: Mode;
  /** Whether the person may switch between enrolling and signing in. */
  readonly canSwitch: boolean;
  readonly typed: Typed;
  readonly act: Actions;
}

export interface View {
  readonly title: string;
  readonly body: readonly Child[];
  readonly actions: readonly HTMLElement[];
  /** Gets the focus. Default: the title. */
  readonly first?: HTMLElement;
}

export function viewOf(state: State, context: Context): View {
  const { strings, mode } = context;
  switch (state.view) {
    case 'start':
      return mode === 'enroll' ? enrollView(context) : signInView(context);
    case 'camera':
      return cameraView(state.task, context);
    case 'email':
      return emailView(context);
    case 'problem':
      return { title: strings.problemTitle, body: [], actions: problemButtons(state.code, context) };
    case 'done':
      return doneView(state, context);
    default:
      return state.render(context);
  }
}

function signInView(context: Context): View {
  const { strings, act } = context;
  return {
    title: strings.signInTitle,
    body: [h('p', { class: 'soft' }, strings.signInIntro)],
    actions: [
      button(strings.signInButton, 'main', act.signIn),
      button(strings.toEmailCode, 'plain', act.toEmailCode),
      ...switchButton(context),
    ],
  };
}

function enrollView(context: Context): View {
  const { strings, typed, act } = context;
  const email = emailField(context);
  const name = textField({
    id: 'name',
    label: strings.name,
    fault: '',
    value: typed.name,
    input: { autocomplete: 'name', maxlength: '200' },
    onInput: value => {
      typed.name = value;
    },
  });
  const agree = tickField(
    {
      id: 'agree',
      label: strings.consentAgree,
      fault: strings.consentNeeded,
      onInput: value => {
        typed.agreed = value === 'on';
      },
    },
    typed.agreed,
  );
  const consent = h('slot', { name: 'consent' }, h('p', {}, strings.consentText));
  const send = h('button', { class: 'main', part: 'button', type: 'submit' }, strings.enrollButton);
  return {
    title: strings.enrollTitle,
    body: [
      h('p', { class: 'soft' }, strings.enrollIntro),
      form(
        [email, agree],
        act.enroll,
        email.root,
        name.root,
        h('div', { class: 'consent' }, consent, agree.root),
        send,
      ),
    ],
    actions: switchButton(context),
  };
}

function emailView(context: Context): View {
  const { strings, act } = context;
  const email = emailField(context);
  const send = h('button', { class: 'main', part: 'button', type: 'submit' }, strings.sendCode);
  return {
    title: strings.emailTitle,
    body: [
      h('p', { class: 'soft' }, strings.emailIntro),
      form([email], () => act.sendCode(email.input.value.trim()), email.root, send),
    ],
    actions: [button(strings.back, 'plain ends', act.back)],
    first: email.input,
  };
}

/** stage.ts fills the place when it is loaded. */
function cameraView(task: Task, { strings, act }: Context): View {
  const titles = { enroll: strings.enrollTitle, 'sign-in': strings.signInTitle, learn: strings.learnTitle };
  return {
    title: titles[task],
    body: [h('div', { class: 'camera' })],
    actions: [button(strings.cancel, 'plain ends', task === 'learn' ? act.notNow : act.back)],
  };
}

function doneView({ email, asks }: Done, { strings, act }: Context): View {
  const done = h('p', {}, ...withAddress(strings.doneText, email));
  if (!asks) return { title: strings.doneTitle, body: [done], actions: [] };
  return {
    title: strings.doneTitle,
    body: [
      done,
      h('p', { class: 'question' }, strings.learnOffer),
      h('p', { class: 'soft' }, strings.learnText),
    ],
    actions: [
      button(strings.learnButton, 'main', act.learn),
      button(strings.learnLater, 'plain ends', act.notNow),
    ],
  };
}

/** After these errors a retry is of no use: the person has to change the form, or to sign in instead. */
const FORM_ERRORS: readonly FaceSignInErrorCode[] = ['email_taken', 'invalid_request', 'consent_required'];

function problemButtons(code: FaceSignInErrorCode, context: Context): HTMLElement[] {
  const { strings, mode, canSwitch, act } = context;
  const known = code === 'email_taken' || code === 'face_already_enrolled';
  const instead = mode === 'enroll' && known && canSwitch;
  const again = FORM_ERRORS.includes(code)
    ? button(strings.back, instead ? 'plain' : 'main', act.back)
    : button(strings.tryAgain, instead ? 'plain' : 'main', act.retry);
  if (mode === 'sign-in') {
    const enroll = code === 'no_match' ? switchButton(context) : [];
    return [again, button(strings.toEmailCode, 'plain', act.toEmailCode), ...enroll];
  }
  if (instead) return [button(strings.signInButton, 'main', () => act.switchTo('sign-in')), again];
  return FORM_ERRORS.includes(code) ? [again] : [again, button(strings.back, 'plain', act.back)];
}

function emailField({ strings, typed }: Context) {
  return textField({
    id: 'email',
    label: strings.email,
    fault: strings.emailNeeded,
    value: typed.email,
    input: { type: 'email', required: true, autocomplete: 'email', maxlength: '254', spellcheck: 'false' },
    onInput: value => {
      typed.email = value;
    },
  });
}

function switchButton({ strings, mode, canSwitch, act }: Context): HTMLElement[] {
  if (!canSwitch) return [];
  return mode === 'enroll'
    ? [button(strings.toSignIn, 'link', () => act.switchTo('sign-in'))]
    : [button(strings.toEnroll, 'link', () => act.switchTo('enroll'))];
}
