/** Races for the last free place: among the templates of a user, among the keys of an app. */
import { challenges, faces } from '../../support/client.ts';
import { addRequest, count, differs, kinds, type Race, somebody, times, unlike } from './setup.ts';

const TEMPLATES = 10;

export const templatePlaces: Race = {
  name: 'a hundred templates added to one user',
  wanted: 'all 201, 10 templates, the enrolled one among them',
  async run({ run, mode, send }) {
    const { app, user, token } = await somebody(run, mode, faces.genuine(0));
    const ids = await challenges(run, app, Math.ceil((10 * TEMPLATES) / 3), mode);
    const requests = ids.map((id, n) => {
      const request = addRequest(token, id, faces.genuine(0, n));
      const descriptors = [0, 1, 2].map(m => faces.genuine(0, 3 * n + m + 1));
      return { ...request, json: { challenge_id: id, descriptors } };
    });
    const replies = await send(requests);
    const of = (origin: string) => count(run, 'templates', 'user_id = ? AND origin = ?', user.id, origin);
    return [
      ...unlike(replies, { 201: ids.length }),
      ...differs(
        'templates',
        { enrolled: of('enrolled'), learned: of('learned') },
        { enrolled: 1, learned: 9 },
      ),
    ];
  },
};

const KEYS = 3;

/** Keys are made by the command line, so here each request is a command with a database handle of its own. */
export const keyPlaces: Race = {
  name: 'sixty keys made for one app of the free plan, by commands',
  wanted: '3 live and 3 test ones made, the rest refused',
  async run({ run }) {
    const { json } = await run.cli(['app', 'create', '--name', 'Crowded']);
    const appId: string = json.app.id;
    const made = await Promise.all(
      times(20 * KEYS, n => {
        const [mode, type] = [n % 2 ? 'live' : 'test', n % 4 < 2 ? 'secret' : 'publishable'];
        return run.cli(['key', 'create', '--app', appId, '--type', type, '--mode', mode]);
      }),
    );
    const codes = kinds(made.map(({ code }) => ({ kind: `exit ${code}` })));
    const keys = (mode: string) => count(run, 'api_keys', 'app_id = ? AND mode = ?', appId, mode);
    return [
      ...differs('exit codes', Object.entries(codes).sort(), [
        ['exit 0', 2 * KEYS],
        ['exit 1', 18 * KEYS],
      ]),
      ...differs('keys', [keys('live'), keys('test')], [KEYS, KEYS]),
    ];
  },
};
