/**
 * The styles of the camera view. They come with it, but its size is in styles.ts, so that nothing moves then. No
 * animation if the person prefers less motion. Held by test/browser/element-looks.test.ts.
 */
export const CAMERA_STYLES = `
.stage { position: relative; overflow: hidden; }
video { display: block; width: 100%; height: 100%; object-fit: cover; transform: scaleX(-1); }
.oval {
  position: absolute; inset: 9% 0; margin: 0 auto; height: 82%; aspect-ratio: 3 / 4; border-radius: 50%;
  border: 4px solid #fff; box-shadow: 0 0 0 100vmax rgb(0 0 0 / 0.42); pointer-events: none;
}
.stage[data-state="good"] .oval { border-color: #62d69b; }
.stage[data-state="change"] .oval { border-style: dashed; border-color: #ffd479; }
.stage[data-state="wait"] .oval { border-color: rgb(255 255 255 / 0.35); box-shadow: none; }
.stage::before {
  content: ""; position: absolute; z-index: 1; top: calc(50% - 0.875rem); width: 1.75rem; height: 1.75rem; border: solid #fff;
  border-width: 5px 0 0 5px; opacity: 0; pointer-events: none;
}
.stage[data-turn="left"]::before { left: 8%; opacity: 1; transform: rotate(-45deg); }
.stage[data-turn="right"]::before { right: 8%; opacity: 1; transform: rotate(135deg); }
.percent { position: absolute; inset: 0; display: grid; place-items: center; margin: 0; color: #fff; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.steps { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); margin: 0.375rem 0 0; padding: 0; list-style: none; }
.steps li { color: var(--fsi-soft); font-size: 0.9375rem; text-align: center; }
.steps li[data-state="now"] { color: var(--fsi-ink); font-weight: 600; }
.steps li[data-state="done"] { color: var(--fsi-ink); }
.steps li[data-state="done"]::after { content: " ✓"; color: var(--fsi-good); }
progress {
  display: block; width: 100%; height: 0.5rem; margin: 0.75rem 0 0; border: 0; border-radius: 1rem; overflow: hidden;
  appearance: none; background: var(--fsi-line); accent-color: var(--fsi-accent);
}
progress::-webkit-progress-bar { background: var(--fsi-line); }
progress::-webkit-progress-value { background: var(--fsi-accent); border-radius: 1rem; }
progress::-moz-progress-bar { background: var(--fsi-accent); border-radius: 1rem; }
@media (prefers-reduced-motion: no-preference) {
  progress::-webkit-progress-value { transition: inline-size 0.2s; }
  .oval { transition: border-color 0.2s; }
  .stage[data-state="wait"] .oval { animation: wait 1.6s ease-in-out infinite; }
  .stage[data-turn="left"]::before, .stage[data-turn="right"]::before { animation: nudge 1.2s ease-in-out infinite; }
  @keyframes nudge { 50% { opacity: 0.35; } }
  @keyframes wait { 50% { border-color: rgb(255 255 255 / 0.9); } }
}
@media (forced-colors: active) {
  .oval { border-color: currentColor; }
}
`;
