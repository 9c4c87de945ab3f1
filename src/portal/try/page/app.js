/** Which app the page tries, and the choice of another one. Held by test/browser/try-app.test.ts. */
const byId = id => document.getElementById(id);

const tryOf = id => `/try?app=${encodeURIComponent(id)}`;

/**
 * @param {{ id: string, name: string } | null} app
 * @param {{ id: string, name: string }[]} apps all of them
 * @param {string | null} wanted what the address asks for
 */
export function showApp(app, apps, wanted) {
  fillApps(app, apps);
  if (app) {
    byId('which').hidden = false;
    byId('app-name').textContent = app.name;
    byId('app-id').textContent = app.id;
    byId('app-link').href = `/apps/${app.id}/test`;
    return;
  }
  const none = wanted === null ? '' : `There is no app with the ID “${wanted}” on this service. `;
  byId('notice').textContent =
    none + (apps.length > 0 ? 'Choose an app.' : 'There is no app yet: create one in the portal.');
}

function fillApps(app, apps) {
  const field = byId('app');
  byId('app-field').hidden = apps.length === 0 || (apps.length < 2 && app !== null);
  if (!app) field.append(new Option('Choose…', ''));
  field.append(...apps.map(({ id, name }) => new Option(`${name} (${id})`, id)));
  field.value = app?.id ?? '';
  field.addEventListener('change', () => field.value && location.assign(tryOf(field.value)));
}
