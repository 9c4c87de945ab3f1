/** A race for the last free places among the templates of a user. Keys of an app: test/cli/keys.long.test.ts. */
import { challenges, faces } from '../../support/client.ts';
import { addRequest, count, differs, type Race, somebody, unlike } from './setup.ts';

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
