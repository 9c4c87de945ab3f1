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
.percent { position: absolute; inset: 0; display: grid; place-items: center; margin: 0; color: #fff; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
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
  @keyframes wait { 50% { border-color: rgb(255 255 255 / 0.9); } }
}
@media (forced-colors: active) {
  .oval { border-color: currentColor; }
}
`;
