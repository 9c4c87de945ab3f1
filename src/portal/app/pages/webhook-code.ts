/**
 * Code that takes events, filled in for one app: a receiver of webhooks, the feed, and a way to try a receiver without
 * a webhook. Each runs as it is pasted. Held by test/clients/receivers.test.ts.
 */
import type { Mode } from '../../../protocol/mode.ts';

export interface Filling {
  readonly app: string;
  readonly mode: Mode;
  readonly issuer: string;
  readonly cli: string;
}

interface Code {
  readonly title: string;
  /** Where the text goes: a file's name, or the shell. */
  readonly file: string;
  readonly text: (of: Filling) => string;
}

/** Lines begin with `|`, so that the imports in them are not taken for imports of this file. */
const margin = (text: string) => text.replaceAll(/^\|/gm, '');

export const RECEIVERS = {
  node: {
    title: 'Node.js',
    file: 'webhooks.mjs',
    text: () =>
      margin(`|import { createServer } from 'node:http';
|import { verifyWebhook } from '@face-sign-in/server';
|
|const server = createServer(async (request, response) => {
|  const body = Buffer.concat(await request.toArray()); // as it came, not parsed
|  try {
|    const { id, type, data } = await verifyWebhook(request.headers, body, process.env.FACE_WEBHOOK_SECRET);
|    console.log(id, type, data); // may come twice: skip an id that you know
|    response.writeHead(204).end();
|  } catch (e) {
|    response.writeHead(400).end(); // not from the service
|  }
|});
|server.listen(process.env.PORT ?? 3000);
`),
  },
  shell: {
    title: 'Shell',
    file: 'Shell',
    text: ({ cli, app, mode }) =>
      `${cli} webhook listen --app ${app} --mode ${mode} --forward-to http://localhost:3000/\n`,
  },
  curl: {
    title: 'curl',
    file: 'Shell',
    text: ({ issuer, mode }) => `KEY=YOUR_SECRET_${mode.toUpperCase()}_KEY
events() { curl -sS "${issuer}/v1/events$1" -H "Authorization: Bearer $KEY"; echo; }

events            # the newest number, as next_after
events "?after=0" # what is kept, from the oldest
`,
  },
} as const satisfies Record<string, Code>;
export type Receiver = keyof typeof RECEIVERS;
