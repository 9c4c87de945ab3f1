/** What is new in a version: its part of the changelog. Held by test/dist/changelog.test.ts. */

/** @throws Error if the changelog has nothing about the version */
export function excerptOf(changelog: string, version: string): string {
  const part = new RegExp(`^## ${version.replaceAll('.', '\\.')}\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(
    changelog,
  )?.[1];
  if (!part?.trim())
    throw new Error(`.github/CHANGELOG.md has no entry for ${version}: add "## ${version}" and what is new`);
  return `# face-sign-in ${version}\n\n${part.trim()}\n`;
}
