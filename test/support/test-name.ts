/** Whether a test has a name, or one that begins so; `…` stands for anything. Rules and breaks name tests like this. */
export function isNamed(test: string, name: string): boolean {
  const [beginning = '', ...parts] = name.split('…');
  let at = beginning.length;
  return (
    test.startsWith(beginning) &&
    parts.every(part => {
      at = test.indexOf(part, at) + part.length;
      return at >= part.length;
    })
  );
}
