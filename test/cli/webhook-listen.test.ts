/** `webhook listen`: events of an app and mode, forwarded to a program under development. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { enrolled, faces } from '../support/client.ts';
import { environment, ROOT } from '../support/process.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { isSigned, receiver } from '../webhooks/receivers.ts';

const test = suite('cli: webhook listen');
const run = serviceFor(test);
const app = appFor(test, run);

for (const json of [false, true])
  test(`${json ? '--json' : 'for people'}: the secret first, then a line for each event; SIGINT ends it with 0`, async () => {
    const shop = await receiver();
    const args = ['webhook', 'listen', '--app', app.id, '--mode', 'live', '--forward-to', shop.url];
    const child = spawn(
      process.execPath,
      ['src/main.ts', ...args, '--event', 'user.enrolled', ...(json ? ['--json'] : [])],
      { cwd: ROOT, env: environment({ DATA_DIR: run.dataDir }) },
    );
    const closed = once(child, 'close');
    try {
      const lines: string[] = [];
      createInterface({ input: child.stdout }).on('line', line => lines.push(line));
      const until = async (howMany: number) => {
        for (let i = 0; i < 400 && lines.length < howMany; i++) await delay(50);
        assert.is(lines.length, howMany, lines.join('\n'));
      };
      const head = json ? 1 : 2;
      await until(head);
      const [secret = ''] = /whsec_[\w+/=]+/.exec(lines[0] ?? '') ?? [];
      const offset = json ? 10 : 0;
      const { user } = await enrolled(run, app, { descriptors: [faces.genuine(offset)] });
      await until(head + 1);
      shop.answer = (_, answer) => void answer.writeHead(500).end();
      await enrolled(run, app, { descriptors: [faces.genuine(offset + 1)] });
      await until(head + 2);
      assert.is((await run.cli(['user', 'delete', user.id, '--yes'])).code, 0);
      await shop.close();
      await enrolled(run, app, { descriptors: [faces.genuine(offset + 2)] });
      await until(head + 3);
      child.kill('SIGINT');
      assert.equal(await closed, [0, null]);
      assert.equal(
        shop.arrived.map(({ event }) => event.type),
        ['user.enrolled', 'user.enrolled'],
      );
      for (const arrived of shop.arrived) assert.ok(isSigned(arrived, secret));
      const told = lines.slice(head);
      if (json) {
        const documents = told.map(line => JSON.parse(line));
        assert.equal(
          documents.map(({ event_id, type, status }) => [event_id, type, status]),
          [...shop.arrived.map(({ event }) => event.id), documents[2].event_id].map((id, i) => [
            id,
            'user.enrolled',
            [204, 500, null][i],
          ]),
        );
        assert.is(documents[2].error, 'connection');
      } else
        for (const [i, outcome] of ['204', '500', 'connection'].entries())
          assert.match(told[i] ?? '', new RegExp(`^\\d{4}-.* UTC +user\\.enrolled +evt_\\w+ +${outcome}`));
    } finally {
      child.kill('SIGKILL');
    }
  });

test.run();
