/**
 * Signs in by a code. It is sent to an address that the person has typed, or after a face that was too uncertain for
 * the page (`confirm-below`) to the address of the account that was found. That face's token is revoked by now, and the
 * page gets nothing before a code of that same account. Whoever is in front of the device may be somebody who looks
 * alike, so they are not shown the address. Loaded when a code is sent. Held by test/browser/element.test.ts and
 * test/browser/element-confirm.test.ts.
 */
import type { SignedIn } from '../client-types.ts';
import { FaceSignInError } from '../errors.ts';
import { type Host, ownership } from './ownership.ts';
import type { Context, View } from './views.ts';

/**
 * Sends a code and asks for it.
 * @param found whose face was only just recognised
 */
export async function askForCode(host: Host, email: string, signal: AbortSignal, found?: SignedIn) {
  const send = (signal: AbortSignal) => host.client().requestEmailCode(email, { signal });
  const isSame = ({ user }: { user: { id: string } }) => !found || user.id === found.user.id;
  await send(signal);

  async function use(code: string, signal: AbortSignal): Promise<void> {
    const options = { signal, asksOwner: true, accepts: isSame };
    const session = await host.client().signInWithEmailCode(email, code, options);
    if (!isSame(session)) {
      host.show({ view: 'problem', code: 'email_code_needed' });
      throw new FaceSignInError('email_code_needed', { detail: 'the code was of another account' });
    }
    // With the confidence of the face, so that the person may be remembered as they look today.
    const both = { ...session, ...(found && { confidence: found.confidence }) };
    ownership(host).ask(both);
  }

  async function again(signal: AbortSignal): Promise<void> {
    await send(signal);
    host.status(host.strings().codeSent);
  }

  function render({ strings, act }: Context): View {
    const { button, form, h, textField, withAddress } = host.kit;
    const code = textField({
      id: 'code',
      label: strings.code,
      fault: strings.codeNeeded,
      input: {
        required: true,
        inputmode: 'numeric',
        autocomplete: 'one-time-code',
        pattern: '\\s*[0-9]{3}\\s?[0-9]{3}\\s*',
        maxlength: '9',
      },
    });
    const enter = () => host.inPlace(signal => use(code.input.value.replace(/\s/g, ''), signal));
    const send = h('button', { class: 'main', part: 'button', type: 'submit' }, strings.codeButton);
    const intro = found
      ? withAddress(strings.confirmText, masked(email))
      : withAddress(strings.codeIntro, email);
    return {
      title: found ? strings.confirmTitle : strings.codeTitle,
      body: [h('p', { class: 'soft' }, ...intro), form([code], enter, code.root, send)],
      actions: [
        button(strings.newCode, 'plain', () => host.inPlace(again)),
        button(strings.back, 'link ends', found ? act.back : act.toEmailCode),
      ],
      first: code.input,
    };
  }
  host.show({ view: found ? 'confirm' : 'code', render });
}

/** Enough of an address for its owner to know it: `ada.lovelace@example.com` becomes `a•••@e•••.com`. */
export function masked(email: string): string {
  const [, local = '', host = '', top = ''] = /^(.*)@(.*?)(\.[^.]*)?$/.exec(email) ?? [];
  return `${first(local)}•••@${first(host)}•••${top}`;
}

/** Of a short part the first letter would be too much. */
const first = (part: string) => ([...part].length > 3 ? [...part][0] : '');
