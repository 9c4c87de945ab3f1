/** English: what stands on every page, and what went wrong. */
export const common = {
  copy: 'Copy',
  copied: 'Copied',
  cancel: 'Cancel',
  close: 'Close',
  again: 'Try again',
  loading: 'Loading…',
  save: 'Save',
  never: 'never',
  you: 'you',
  remove: 'Remove',
};

export const nav = {
  skip: 'Skip to content',
  main: 'Main menu',
  menu: 'Menu',
  apps: 'Apps',
  teams: 'Team',
  account: 'Account',
  installation: 'Installation',
  docs: 'HTTP API',
  tryIt: 'Try it',
  overview: 'Overview',
  users: 'Users',
  events: 'Events',
  faces: 'Faces',
  keys: 'Keys',
  refusals: 'Refusals',
  settings: 'Settings',
  app: 'App',
  mode: 'Mode',
  live: 'Live',
  test: 'Test',
  testMode: 'Test mode',
  testModeText: 'Test users and test keys only. Nothing here touches live data.',
  signOut: 'Sign out',
  language: 'Language',
  theme: 'Theme',
  themes: { system: 'System theme', light: 'Light', dark: 'Dark' },
  away: 'The service does not answer. This page keeps trying, and nothing you typed is lost.',
  draining: 'The service is stopping. It may be unavailable for a moment.',
  newVersion: 'The portal was updated while this page was open.',
  reload: 'Reload',
};

export const roles = {
  admin: 'Admin',
  owner: 'Owner',
  developer: 'Developer',
  support: 'Support',
  viewer: 'Viewer',
};

export const faults = {
  request: 'request',
  back: 'The service is back. Try again.',
  looking: 'Retrying every few seconds…',
  noRight: 'Your role cannot do this. These can:',
  goneTitle: 'There is nothing here',
  gone: 'It was deleted, it belongs to another team, or the address is mistyped.',
  wait: (seconds: number) =>
    seconds < 90
      ? `Too many attempts. Try again in ${seconds} seconds.`
      : `Too many attempts. Try again in ${Math.ceil(seconds / 60)} minutes.`,
  /** Codes that are left out show the sentence of the service, which names the field and the fix. */
  codes: {
    offline: 'The service does not answer.',
    service_unavailable: 'The service cannot answer now.',
    internal_error: 'Something went wrong in the service. It was logged under this request ID.',
    forbidden: 'Your role cannot do this.',
    step_up_required: 'This needs your passkey again. Nothing was changed.',
    unauthorized: 'You are not signed in, or this credential is not valid.',
    link_used: 'This link was used before, has expired, or was withdrawn. Ask for a new one.',
    last_owner: 'A team needs an owner. Make someone else an owner first.',
    last_admin: 'The installation needs an admin. Make someone else an admin first.',
    sign_in_first: 'This address belongs to an operator. Sign in first, then open the link again.',
    email_taken: 'An operator with this address exists already. Sign in instead.',
    rate_limited: 'Too many attempts. Wait a moment.',
    origin_not_allowed: 'This address of the portal is not the configured one (`PORTAL_URL`).',
  },
};

export const passkeyFaults = {
  cancelled: 'The passkey was not used: the prompt was closed or timed out.',
  exists: 'This device already has a passkey for your account.',
  unsupported: 'This browser or device cannot create such a passkey.',
};

export const over = {
  title: 'Sign in again',
  text: 'Your session is over. Sign in to continue where you were: this page stays as it is.',
  passkey: 'Sign in with a passkey',
  elsewhere: 'Use a recovery code or a link',
};

export const step = {
  title: 'Confirm that it’s you',
  text: 'This action needs your passkey again. After that you have 5 minutes.',
  passkey: 'Use a passkey',
  none: 'No passkey at hand? Sign in again with a link, which counts for 5 minutes:',
};
