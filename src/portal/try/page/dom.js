/** What the scripts of the page make and find. */
export const byId = id => document.getElementById(id);

/** @returns an element with these properties and this content */
export function make(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}
