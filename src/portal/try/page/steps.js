/**
 * Shows each request from the page to the API: what it sends, what comes back, and the time it took. Descriptors are
 * counted, never shown, and tokens are cut off. Held by test/browser/try.test.ts.
 */
import { make } from './dom.js';

/**
 * @param {HTMLOListElement} list
 * @param {HTMLElement} none what is shown while the list is empty
 * @param {(sent: object, answer: object) => void} onAnswer called after each successful request with a body
 * @returns {typeof fetch}
 */
export function watchedFetch(list, none, onAnswer) {
  return async (input, init) => {
    const began = performance.now();
    const { pathname } = new URL(String(input));
    const sent = typeof init?.body === 'string' ? JSON.parse(init.body) : null;
    const state = make('span', {}, ' …');
    const line = make(
      'li',
      {},
      make('b', {}, `${init?.method ?? 'GET'} ${pathname}`),
      state,
      make('span', { className: 'soft' }, `sent: ${summaryOf(sent, init?.body)}`),
    );
    list.append(line);
    none.hidden = true;
    try {
      const response = await fetch(input, init);
      state.textContent = ` → ${response.status}, ${Math.round(performance.now() - began)}\u00a0ms`;
      state.className = response.ok ? 'good' : 'bad';
      const answer = await response
        .clone()
        .json()
        .catch(() => null);
      line.append(details('Request and answer', sent, answer));
      if (response.ok && sent) onAnswer(sent, answer);
      return response;
    } catch (error) {
      state.textContent = ' → no response';
      state.className = 'bad';
      line.append(details('Request', sent));
      throw error;
    }
  };
}

/** What scrolls must be reachable by keyboard. */
function details(title, ...bodies) {
  const blocks = bodies.map(body =>
    make('pre', { tabIndex: 0 }, body === null ? '(no body)' : JSON.stringify(body, shortened, 2)),
  );
  return make('details', {}, make('summary', {}, title), ...blocks);
}

function shortened(name, value) {
  if (name === 'descriptors') return value.map(each => `${each.length} numbers`);
  return name === 'token' ? `${value.slice(0, 16)}… (${value.length} characters)` : value;
}

function summaryOf(sent, body) {
  if (!sent) return 'only the key or token';
  const fields = Object.entries(sent).map(([name, value]) => {
    if (name === 'descriptors') return `${value.length} × ${value[0]?.length} numbers`;
    return name === 'liveness' ? `liveness ${value.score.toFixed(2)}` : name;
  });
  return `${fields.join(', ')} (${(body.length / 1000).toFixed(1)}\u00a0kB)`;
}
