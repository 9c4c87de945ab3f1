/** Every server route of the table takes from the one budget of its key. Who may ask: matrix.test.ts. */
import * as assert from 'uvu/assert';
import { ROUTES } from '../../src/http/routes.ts';
import { assertError, call, server, tally } from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('rules: server routes');
const run = serviceFor(test, { env: { LIMIT_SECRET_KEY_PER_MINUTE: '30' } });

test('every server route takes from the one budget of its key', async () => {
  for (const { method, path } of ROUTES.filter(({ guard }) => guard.name === 'secret')) {
    const app = await run.createApp();
    const headers = server(app);
    const send = () => call(run, method, path.replace(':id', 'usr_x'), { headers });
    const other = () => call(run, 'GET', '/v1/app', { headers });
    const answers = [];
    for (let n = 0; n < 29; n++) answers.push(await (n % 2 ? other() : send()));
    assert.is(tally(answers)['429 rate_limited'], undefined, `${method} ${path}`);
    assert.is((await other()).status, 200, 'the thirtieth');
    const answer = await send();
    assertError(answer, 'rate_limited', `${method} ${path}`);
    assert.is(answer.headers['retry-after'], '60');
  }
});

test.run();
