/** Groups of operations in their description. */
export const TAGS = {
  'Signing in': 'Links, passkeys, recovery codes and sessions.',
  Account: 'The operator’s own account.',
  Teams: 'Teams, their members and invitations.',
  Apps: 'Apps and their keys.',
  People: 'End users of an app, in one mode.',
  Numbers: 'What happened in an app, in one mode.',
  Webhooks: 'Where the events of an app are sent, in one mode.',
  Installation: 'For admins: health, jobs, signing keys, operators.',
  Audit: 'What operators, commands and jobs did.',
} as const;

export type Tag = keyof typeof TAGS;
