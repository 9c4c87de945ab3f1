/* Adds a button to each piece of code that copies it. The page works without. */
const said = document.getElementById('said');

if (navigator.clipboard)
  for (const figure of document.querySelectorAll('figure')) {
    const caption = figure.querySelector('figcaption');
    const section = figure.closest('section')?.querySelector('h3')?.textContent;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy: ${[section, caption.textContent].filter(Boolean).join(', ')}`);
    button.addEventListener('click', () => copy(button, figure.querySelector('code').textContent));
    caption.append(button);
  }

async function copy(button, text) {
  const isCopied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? 'Copied' : 'Select it';
  said.textContent = isCopied ? 'Copied' : 'The browser did not allow copying. Select the text instead.';
  setTimeout(() => {
    button.textContent = 'Copy';
    said.textContent = '';
  }, 2_000);
}

/* On a phone the menu is open only while somebody uses it. Elsewhere it has no handle. */
const menu = document.querySelector('#menu details');
const phone = matchMedia('(width < 64rem)');
const adapt = () => {
  menu.open = !phone.matches;
};
adapt();
phone.addEventListener('change', adapt);
menu.addEventListener('click', event => {
  if (event.target.closest('a')) adapt();
});
document.querySelector('.to-menu').addEventListener('click', () => {
  menu.open = true;
});
