export function Apps() {
  return <h1>Apps</h1>;
}
