/**
 * The portal in the browser: finds language, session and page, and draws them. It is a plain client of `/internal`, and
 * asks no other host. Held by test/browser/portal-flow.test.ts.
 */
import { render } from 'preact';
import { startLooks } from './lib/language.ts';
import { Shell } from './shell/shell.tsx';

await startLooks();
const root = document.getElementById('app');
if (root) render(<Shell />, root);
