/**
 * The styles of the component. They follow the person's light or dark preference unless the page sets `theme`, and have
 * no animation if the person prefers less motion. Held by test/browser/element-looks.test.ts.
 */
const LIGHT = `
  color-scheme: light;
  --fsi-ink: #16202a; --fsi-soft: #4d5a66; --fsi-paper: #fff; --fsi-line: #c6ced6; --fsi-field: #fff; --fsi-edge: #7a8793;
  --fsi-accent: var(--face-sign-in-accent, #1b5cb8); --fsi-on-accent: var(--face-sign-in-on-accent, #fff);
  --fsi-focus: #0b57d0; --fsi-bad: #a3221b; --fsi-bad-paper: #fdecea; --fsi-good: #14794a;
`;
const DARK = `
  color-scheme: dark;
  --fsi-ink: #e8edf1; --fsi-soft: #a9b5bf; --fsi-paper: #1a2128; --fsi-line: #36424d; --fsi-field: #12171c; --fsi-edge: #83909c;
  --fsi-accent: var(--face-sign-in-accent, #8ab8ff); --fsi-on-accent: var(--face-sign-in-on-accent, #0b1a2e);
  --fsi-focus: #a8c7fa; --fsi-bad: #ffb4ab; --fsi-bad-paper: #3b1b19; --fsi-good: #62d69b;
`;

export const STYLES = `
:host { ${LIGHT} display: block; max-width: 27rem; container-type: inline-size; }
:host([hidden]) { display: none; }
@media (prefers-color-scheme: dark) { :host(:not([theme="light"])) { ${DARK} } }
:host([theme="dark"]) { ${DARK} }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.card {
  padding: 1.5rem; border: 1px solid var(--fsi-line); border-radius: var(--face-sign-in-radius, 1rem);
  background: var(--fsi-paper); color: var(--fsi-ink); font: 1rem/1.5 var(--face-sign-in-font, system-ui, sans-serif);
  overflow-wrap: anywhere;
}
.card.empty { visibility: hidden; }
@container (max-width: 22rem) { .card { padding: 1.125rem; } }
h2 { margin: 0 0 0.5rem; font-size: 1.375rem; line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
p { margin: 0 0 1rem; }
h2, p, button, label, li { unicode-bidi: plaintext; }
:host(:dir(rtl)) slot { direction: rtl; }
.body > :last-child { margin-bottom: 0; }
.address { display: inline-block; max-width: 100%; color: var(--fsi-ink); font-weight: 600; }
.soft { color: var(--fsi-soft); }
.alert { margin: 0.75rem 0 1rem; padding: 0.75rem 1rem; border-radius: 0.625rem; background: var(--fsi-bad-paper); color: var(--fsi-bad); }
.alert:empty, .status:empty { margin: 0; padding: 0; border: 0; }
.status { margin: 0; min-height: 0; font-weight: 600; }
.status.below:not(:empty) { margin-top: 1rem; }
.card[data-view="camera"] .status { margin: 0.875rem 0 0; min-height: 3em; font-size: 1.125rem; text-align: center; text-wrap: balance; }
.camera:empty, .stage { margin: 0.75rem 0 0; aspect-ratio: 4 / 3; border-radius: 0.75rem; background: #0d1114; }
.body > .camera:empty { margin-bottom: 1.25rem; }
.field { margin: 0 0 1rem; }
label { display: block; margin: 0 0 0.375rem; font-weight: 600; }
input:not([type="checkbox"]) {
  display: block; width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; border: 1px solid var(--fsi-edge);
  border-radius: 0.625rem; background: var(--fsi-field); color: inherit; font: inherit;
}
input[autocomplete="one-time-code"] { font-size: 1.375rem; letter-spacing: 0.35em; font-variant-numeric: tabular-nums; }
input[aria-invalid="true"] { border-color: var(--fsi-bad); }
.fault { margin: 0.375rem 0 0; color: var(--fsi-bad); font-size: 0.9375rem; }
.fault:empty { margin: 0; }
.consent { margin: 0 0 1rem; padding: 0.875rem 1rem; border: 1px solid var(--fsi-line); border-radius: 0.625rem; }
.consent slot p, .consent ::slotted(*) { margin: 0 0 0.5rem; }
.tick { display: flex; align-items: center; gap: 0.75rem; min-height: 2.75rem; margin: 0; font-weight: 400; cursor: pointer; }
input[type="checkbox"] { flex: none; width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--fsi-accent); }
.actions { display: grid; gap: 0.5rem; }
button.link:last-child { margin-bottom: -0.75rem; }
.actions:empty { display: none; }
.status + .actions:not(:empty) { margin-top: 1rem; }
button {
  min-height: 2.75rem; width: 100%; padding: 0.5rem 1rem; border: 1px solid transparent; border-radius: 0.625rem;
  background: transparent; color: var(--fsi-accent); font: inherit; font-weight: 600; cursor: pointer;
}
.paused :is(button, .tick) { pointer-events: none; }
button.main { background: var(--fsi-accent); color: var(--fsi-on-accent); }
button.plain { border-color: var(--fsi-edge); color: var(--fsi-ink); }
button.danger { border-color: currentColor; color: var(--fsi-bad); }
button[aria-disabled="true"] { opacity: 0.65; cursor: progress; }
@media (hover: hover) {
  button:hover { text-decoration: underline; }
  button.main:hover { text-decoration: none; filter: brightness(0.93); }
}
:focus-visible { outline: 3px solid var(--fsi-focus); outline-offset: 2px; }
h2:focus { outline: none; }
h2:focus-visible { outline: 3px solid var(--fsi-focus); outline-offset: 4px; border-radius: 0.25rem; }
.question { margin: 1.25rem 0 0.5rem; padding-top: 1.25rem; border-top: 1px solid var(--fsi-line); font-weight: 600; }
.mark { display: block; width: 3.5rem; height: 3.5rem; margin: 0 0 0.75rem; border-radius: 50%; border: 3px solid var(--fsi-good); position: relative; }
.mark::after {
  content: ""; position: absolute; left: 34%; top: 18%; width: 28%; height: 50%; border: solid var(--fsi-good);
  border-width: 0 4px 4px 0; transform: rotate(45deg);
}
@media (forced-colors: active) {
  button, .card { border-color: currentColor; }
}
`;
