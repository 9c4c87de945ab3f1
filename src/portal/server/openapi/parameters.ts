/** Parameters of the internal API's paths. */
const idOf = (prefix: string, of: string) => ({
  description: `The ID of the ${of}.`,
  schema: { type: 'string', examples: [`${prefix}_q3Vt9XbYk2LmN8pRs5TzWc7D`] },
});

export const PARAMETERS: Readonly<Record<string, object>> = {
  app: idOf('app', 'app'),
  key: idOf('key', 'key'),
  user: idOf('usr', 'user'),
  team: idOf('team', 'team'),
  operator: idOf('opr', 'operator'),
  invitation: idOf('lnk', 'invitation'),
  passkey: idOf('psk', 'passkey'),
  session: idOf('ses', 'session'),
  mode: { description: 'The mode.', schema: { type: 'string', enum: ['live', 'test'] } },
  job: { description: 'The name of the job.', schema: { type: 'string', examples: ['events'] } },
};
