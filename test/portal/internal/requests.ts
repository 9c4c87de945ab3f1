/**
 * One well-formed request for every route, on objects that belong to one team. They change as little as they can: most
 * name something that does not exist, so that what stands before it is what they test.
 */
import type { Operation } from '../../../src/operations/table/operation.ts';
import type { Mode } from '../../../src/protocol/mode.ts';

export interface Place {
  readonly team: string;
  readonly app: string;
  readonly testKey: string;
  readonly liveKey: string;
  readonly testWebhook: string;
  readonly liveWebhook: string;
}

export interface WellFormed {
  readonly path: string;
  readonly json?: object;
}

/** A webhook of this machine may be sent to, while the service listens on loopback. */
export const NOBODY_LISTENS = 'http://127.0.0.1:9/hooks';
const UNKNOWN_OPERATOR = 'opr_000000000000000000000000';

const PARAMETERS: Readonly<Record<string, (place: Place, mode: Mode) => string>> = {
  team: place => place.team,
  app: place => place.app,
  key: (place, mode) => (mode === 'test' ? place.testKey : place.liveKey),
  webhook: (place, mode) => (mode === 'test' ? place.testWebhook : place.liveWebhook),
  mode: (_, mode) => mode,
  user: () => 'usr_000000000000000000000000',
  operator: () => UNKNOWN_OPERATOR,
  invitation: () => 'lnk_000000000000000000000000',
  passkey: () => 'psk_000000000000000000000000',
  session: () => 'ses_000000000000000000000000',
  job: () => 'no-such-job',
};

const BODIES: Readonly<Record<string, (place: Place, mode: Mode) => object>> = {
  redeemLink: () => ({ token: 'x'.repeat(43) }),
  signIn: () => ({ credential: {} }),
  signInByCode: () => ({ email: 'nobody@mail.example', code: 'q3Vt9XbYk2LmN8pRs5Tz' }),
  stepUp: () => ({ credential: {} }),
  registerPasskey: () => ({ credential: {} }),
  changeAccount: () => ({ theme: 'dark' }),
  labelPasskey: () => ({ label: 'Laptop' }),
  createTeam: () => ({ name: 'Another team' }),
  renameTeam: () => ({ name: 'Renamed' }),
  changeRole: () => ({ role: 'viewer' }),
  invite: () => ({ email: 'grace@mail.example', role: 'viewer' }),
  createApp: ({ team }) => ({ team_id: team, name: 'Another app' }),
  changeApp: () => ({ name: 'Renamed' }),
  deleteApp: () => ({ name: 'not its name' }),
  makeKey: (_, mode) => ({ type: 'secret', mode }),
  labelKey: () => ({ label: 'Till' }),
  rollKey: () => ({ ends_in_seconds: 0 }),
  createWebhook: () => ({ url: NOBODY_LISTENS, events: ['*'], description: 'Orders' }),
  changeWebhook: () => ({ description: 'Changed' }),
  replayWebhook: () => ({ event_id: 'evt_0000000000000000000000000' }),
  changeOperator: () => ({ disabled: true }),
};

export function wellFormed(route: Operation, place: Place, mode: Mode = 'live'): WellFormed {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = PARAMETERS[name];
    if (!value) throw new Error(`no value is known for :${name} of ${route.path}`);
    return value(place, mode);
  });
  const body = BODIES[route.id];
  if (route.body && !body) throw new Error(`no body is known for ${route.id}`);
  return body ? { path, json: body(place, mode) } : { path };
}
