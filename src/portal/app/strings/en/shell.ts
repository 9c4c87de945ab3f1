/** English: what stands on every page, what went wrong, signing in, links, recovery, and the account. */
export const common = {
  name: 'Name',
  email: 'Email address',
  team: 'Team',
  plan: 'Plan',
  type: 'Type',
  userId: 'User ID',
  when: 'When',
  what: 'What',
  from: 'From',
  browser: 'Browser',
  created: 'Created',
  status: 'Status',
  actions: 'Actions',
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
  account: 'Account',
  installation: 'Installation',
  docs: 'HTTP API',
  tryIt: 'Try it',
  overview: 'Overview',
  users: 'Users',
  events: 'Events',
  faces: 'Faces',
  keys: 'Keys',
  webhooks: 'Webhooks',
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
  elsewhere: 'Use a recovery code or a link',
};

export const step = {
  title: 'Confirm that it’s you',
  text: 'This action needs your passkey again. After that you have 5 minutes.',
  passkey: 'Use a passkey',
  none: 'No passkey at hand? Sign in again with a link, which counts for 5 minutes:',
};

export const signIn = {
  title: 'Sign in',
  intro: 'The portal is for people who run this service or build on it.',
  passkey: 'Sign in with a passkey',
  waiting: 'Waiting for your passkey…',
  helpTitle: 'No passkey yet?',
  help: 'On the machine of the service, one of these prints a link. The first makes an admin.',
  helpSettings: 'Run it as the user of the service, with its settings: SETTINGS_FILE or DATA_DIR.',
  helpMore: 'Invited to a team? Open the link that you were sent.',
  unsupported: 'This browser has no passkeys. Use a recovery code or a link.',
  notLocalhost: (url: string) => `Passkeys do not work at this address. Open ${url} instead.`,
  healthy: 'The service is healthy.',
  degraded: 'The service works, but needs attention.',
  down: 'The service is down.',
};

export const link = {
  title: 'Welcome',
  intro: 'This link signs you in. It works once.',
  invited: 'This link signs you in, or adds you to a team.',
  open: 'Continue',
  name: 'Your name',
  email: 'Your email address',
  emailHint: 'To tell operators apart. No email is sent.',
  none: 'This address has no link in it. Copy the whole link, with everything after the `#`.',
  setUp: 'Set up your sign-in',
  setUpText:
    'Links work once. A passkey signs you in from now on: your fingerprint, face or PIN on this device.',
  codesText:
    'If you lose your passkey, each of these signs you in once. Keep them in your password manager. They are not shown again.',
  makeCodes: 'Create recovery codes',
  done: 'Go to your apps',
  later: 'Later',
};

export const recovery = {
  title: 'Use a recovery code',
  intro: 'Each code works once. After signing in you can add a new passkey.',
  code: 'Recovery code',
  submit: 'Sign in',
  back: 'Back to sign-in',
  wrong: 'The address or the code is wrong, or the code was used before.',
};

export const account = {
  profile: 'Profile',
  emailHint: "Only an admin can change it. An admin's own address is changed by another admin.",
  looks: 'Language and theme',
  passkeys: 'Passkeys',
  nudgeCodes: 'You have no recovery codes: without your passkey you could not sign in.',
  nudgePasskey: 'You have one passkey. Add a second one, on another device, in case you lose it.',
  passkeysNone: 'You have no passkey. Add one, or your next sign-in needs a link.',
  addPasskey: 'Add a passkey',
  passkeyLabel: 'Name of this passkey',
  passkeyLabelHint: 'For example the device: “Work laptop”.',
  rename: 'Rename',
  added: 'added',
  used: 'last used',
  removePasskey: (label: string) => `Remove the passkey “${label}”?`,
  removePasskeyText:
    'It can no longer sign you in. The passkey stays on your device until you delete it there.',
  codes: 'Recovery codes',
  codesText: 'Ten codes for the day you lose your passkey. New codes replace the old ones.',
  codesLeft: (n: number) => `You have ${n} left.`,
  makeCodes: 'Create new codes',
  codesTitle: 'Your recovery codes',
  codesOnce: 'They are shown once. Keep them in your password manager.',
  codesKept: 'I have saved them',
  sessions: 'Sessions',
  thisSession: 'this one',
  means: { link: 'by a link', passkey: 'by passkey', recovery: 'by a recovery code' },
  began: 'began',
  seen: 'last seen',
  end: 'End',
};
