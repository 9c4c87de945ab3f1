/** Text as HTML. Held by test/portal/health.test.ts and test/portal/docs.test.ts. */

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** A description: escaped, with `code` between backticks. */
export function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
