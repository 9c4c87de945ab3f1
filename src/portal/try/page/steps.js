/**
 * Shows each request from the page to the API: what it sends, the status of the response and the time it took.
 * Descriptors are counted, never shown. Held by test/browser/try.test.ts.
 */

/** @param {HTMLOListElement} list  @param {HTMLElement} none  @returns {typeof fetch} */
export function watchedFetch(list, none) {
  return async (input, init) => {
    const began = performance.now();
    const line = document.createElement('li');
    const name = document.createElement('b');
    name.textContent = `${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`;
    const state = document.createElement('span');
    state.textContent = ' …';
    const sent = document.createElement('span');
    sent.className = 'soft';
    sent.textContent = `sent: ${sentIn(init?.body)}`;
    line.append(name, state, sent);
    list.append(line);
    none.hidden = true;
    try {
      const answer = await fetch(input, init);
      state.textContent = ` → ${answer.status}, ${Math.round(performance.now() - began)}\u00a0ms`;
      state.className = answer.ok ? 'good' : 'bad';
      return answer;
    } catch (error) {
      state.textContent = ' → no response';
      state.className = 'bad';
      throw error;
    }
  };
}

function sentIn(body) {
  if (typeof body !== 'string') return 'only the key or token';
  const fields = Object.entries(JSON.parse(body)).map(([name, value]) => {
    if (name === 'descriptors') return `${value.length} × ${value[0]?.length} numbers`;
    return name === 'liveness' ? `liveness ${value.score.toFixed(2)}` : name;
  });
  return `${fields.join(', ')} (${(body.length / 1000).toFixed(1)}\u00a0kB)`;
}
