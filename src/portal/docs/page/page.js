/* Starts the viewer. It sends nothing to the API, which is another origin, and which no app opens to this page. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
paint();
dark.addEventListener('change', paint);

/* The portal links to /docs#error-CODE, which the viewer would take for a route. */
const code = /^#error-(\w+)$/.exec(location.hash)?.[1];

SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#reference',
  deepLinking: code === undefined,
  validatorUrl: null,
  supportedSubmitMethods: [],
  onComplete: showError,
});

function showError() {
  const cells = document.querySelectorAll('.info td code');
  [...cells].find(cell => cell.textContent === code)?.scrollIntoView({ block: 'center' });
}
