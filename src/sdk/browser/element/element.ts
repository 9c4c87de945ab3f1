/**
 * `<face-sign-in>`: a complete user interface to enroll and sign in, on top of the client. The camera starts only after
 * a click, and stops when the person cancels, the page is hidden or the component is removed. The component keeps no
 * copy of the token and stores nothing in the browser. Held by test/browser/element.test.ts.
 */
import { createClient } from '../client.ts';
import type { CaptureSettings, Client, Session, SignedIn } from '../client-types.ts';
import type { FaceSignInError } from '../errors.ts';
import { imported } from '../thrown.ts';
import type { FaceEncoder } from '../types.ts';
import { upgrade, WithAttributes } from './attributes.ts';
import { type Frame, frameIn } from './frame.ts';
import { KIT } from './kit.ts';
import { languageOf, load, sentenceFor, stringsOf } from './languages.ts';
import { type Host as LearningHost, learning } from './learning.ts';
import { check, detailOf, enough, isNarrow, learnedDetailOf, livenessCheckOf, personOf } from './outcome.ts';
import { ownClient } from './own-client.ts';
import type { Host as OwnershipHost } from './ownership.ts';
import { reportOn } from './report.ts';
import type { OwnStrings, Strings } from './strings.ts';
import { type Actions, type Mode, type State, type Typed, viewOf } from './views.ts';
import { oneAtATime } from './work.ts';

const WITH_SESSION: readonly State['view'][] = ['done', 'owner', 'erase', 'not_erased'];

export class FaceSignInElement extends WithAttributes {
  static readonly observedAttributes = ['publishable-key', 'base-url', 'mode', 'lang', 'no-switch'];

  readonly #frame: Frame = frameIn(this.attachShadow({ mode: 'open' }));
  readonly #typed: Typed = { email: '', name: '', agreed: false };
  #state: State = { view: 'start' };
  #encoder: FaceEncoder | undefined;
  #own: OwnStrings | undefined;
  readonly #client = ownClient(
    () =>
      createClient({
        publishableKey: this.getAttribute('publishable-key') ?? '',
        baseUrl: this.getAttribute('base-url') ?? '',
        encoder: this.#encoder,
      }),
    () => {
      const learns = this.#state.view === 'camera' && this.#state.task === 'learn';
      if (learns || (!this.#work.isBusy && WITH_SESSION.includes(this.#state.view))) this.reset();
    },
  );
  readonly #work = oneAtATime();
  readonly #report = reportOn({
    element: this,
    own: () => this.#own,
    hasEncoder: () => this.#client.isGiven || this.#encoder !== undefined,
    check: () => {
      this.#client.need();
      check(this, this.#own);
    },
  });
  /** The error that the alert shows now. */
  #fault: FaceSignInError | undefined;
  #retry: () => void = () => this.reset();

  /** Finds and describes faces. Required unless `client` is set, which has its own. */
  get encoder(): FaceEncoder | undefined {
    return this.#encoder;
  }
  set encoder(encoder: FaceEncoder | undefined) {
    this.#encoder = encoder;
    this.#client.forget();
  }

  /** The page's own texts. They override those of the language. */
  get strings(): OwnStrings | undefined {
    return this.#own;
  }
  set strings(strings: OwnStrings | undefined) {
    this.#own = strings;
    this.#refresh();
  }

  /** The page's own client, or the component's. It has the session. Null while the attributes are invalid. */
  get client(): Client | null {
    try {
      return this.#client.need();
    } catch {
      return null;
    }
  }
  set client(client: Client | null | undefined) {
    this.#client.give(client ?? undefined);
    if (this.isConnected) this.reset();
  }

  /** Stops all work and shows the start. */
  reset(): void {
    this.#work.stop();
    this.#show({ view: 'start' }, { focus: false });
  }

  connectedCallback(): void {
    upgrade(this);
    document.addEventListener('visibilitychange', this.#onHidden);
    this.#report.soon();
    this.reset();
  }

  disconnectedCallback(): void {
    document.removeEventListener('visibilitychange', this.#onHidden);
    this.#report.stop();
    this.#work.stop();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return;
    this.#report.soon();
    if (name === 'publishable-key' || name === 'base-url') this.#client.forget();
    if (name === 'mode') this.reset();
    else this.#refresh();
  }

  /** What the parts of the component get from it. */
  readonly #host: OwnershipHost & LearningHost = {
    kit: KIT,
    client: () => this.#client.need(),
    strings: () => this.#strings,
    isBusy: () => this.#work.isBusy,
    show: state => this.#show(state),
    status: text => this.#frame.status(text),
    inPlace: (work, doing, failed) => this.#inPlace(work, doing, failed),
    capture: signal => this.#capture(signal),
    finish: session => this.#finish(session),
    learned: session => this.#emit('face-sign-in-learned', learnedDetailOf(session)),
    failed: error => this.#report.error(error),
  };
  readonly #learning = learning(this.#host, this.#work);

  #act: Actions = {
    signIn: () => this.#withFace('sign-in'),
    enroll: () => this.#withFace('enroll'),
    switchTo: mode => {
      this.mode = mode;
      this.#show({ view: 'start' });
    },
    toEmailCode: () => {
      this.#work.stop();
      this.#show({ view: 'email' });
    },
    sendCode: email => this.#inPlace(signal => this.#askForCode(email, signal)),
    back: () => {
      this.#work.stop();
      this.#show({ view: 'start' });
    },
    retry: () => this.#retry(),
    learn: this.#learning.learn,
    notNow: this.#learning.notNow,
  };

  #withFace(mode: Mode): void {
    this.#retry = () => this.#withFace(mode);
    this.#show({ view: 'camera', task: mode });
    void this.#work.run(
      async signal => {
        const accepts = enough(this);
        const capture = await this.#capture(signal);
        const client = this.#client.need();
        if (mode === 'sign-in') {
          const options = { signal, capture: { ...capture, mean: this.meanSignIn }, accepts };
          const session = await client.signIn(options);
          if (!accepts(session)) return this.#askForCode(session.user.email, signal, session);
          return this.#finish(session);
        }
        const person = personOf(this.#typed, this, this.#own);
        return this.#finish(await client.enroll({ ...person, signal, capture }));
      },
      error => {
        this.#show({ view: 'problem', code: error.code });
        this.#fail(error);
      },
    );
  }

  async #capture(signal: AbortSignal): Promise<CaptureSettings> {
    const livenessCheck = livenessCheckOf(this);
    const show = await this.#frame.camera(this.#strings);
    const onProgress: CaptureSettings['onProgress'] = progress => {
      if (!signal.aborted) show(progress);
    };
    return { video: this.#frame.video, onProgress, livenessCheck };
  }

  async #askForCode(email: string, signal: AbortSignal, found?: SignedIn): Promise<void> {
    await (await imported(() => import('./codes.ts'))).askForCode(this.#host, email, signal, found);
  }

  /** Does work without leaving the current view, even if it fails. */
  #inPlace(
    work: (signal: AbortSignal) => Promise<void>,
    doing = this.#strings.sending,
    failed = ({ code }: FaceSignInError): unknown => code === 'invalid_code' && this.#frame.again(),
  ): void {
    if (this.#work.isBusy) return;
    this.#frame.alert('');
    this.#frame.status(doing);
    this.#frame.busy(true);
    const done = () => {
      this.#frame.busy(false);
      if (this.#frame.isSaying(doing)) this.#frame.status('');
    };
    const end = (error: FaceSignInError) => {
      failed(error);
      this.#fail(error);
    };
    void this.#work.run(work, end).finally(done);
  }

  #fail(error: FaceSignInError): void {
    this.#alert(error);
    this.#report.error(error);
    this.#emit('face-sign-in-error', { code: error.code, error });
  }

  #alert(error: FaceSignInError): void {
    this.#fault = error;
    this.#frame.alert(sentenceFor(error, this.#strings, this.#language));
  }

  #finish(session: Session): void {
    // The next person at this device has to type and agree again.
    Object.assign(this.#typed, { email: '', name: '', agreed: false });
    this.#learning.done(session.user.email, isNarrow(session) && !this.hasAttribute('no-learn'));
    this.#emit('face-sign-in', detailOf(session));
  }

  #emit(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #onHidden = (): void => {
    if (!document.hidden || this.#state.view !== 'camera') return;
    if (this.#state.task === 'learn') this.#learning.end(this.#strings.hidden);
    else {
      this.reset();
      this.#frame.alert(this.#strings.hidden);
    }
  };

  get #language(): string {
    const tag = this.lang || this.closest<HTMLElement>('[lang]')?.lang || document.documentElement.lang;
    return languageOf(tag);
  }

  get #strings(): Strings {
    return stringsOf(this.#language, this.#own);
  }

  /** Shows the current view again with new texts, unless that would interrupt a capture. */
  #refresh(): void {
    if (!this.isConnected || this.#state.view === 'camera') return;
    const fault = this.#fault;
    this.#show(this.#state, { focus: false });
    if (fault) this.#alert(fault);
  }

  #show(state: State, { focus = true } = {}): void {
    this.#state = state;
    this.#fault = undefined;
    const context = {
      strings: this.#strings,
      language: this.#language,
      mode: this.mode,
      canSwitch: !this.hasAttribute('no-switch'),
      typed: this.#typed,
      act: this.#act,
    };
    const loading = load(this.#language);
    void loading?.then(() => this.#refresh());
    this.#frame.language(this.#language, loading !== undefined);
    this.#frame.alert('');
    this.#frame.status('');
    this.#frame.show(viewOf(state, context), state.view, focus);
  }
}
