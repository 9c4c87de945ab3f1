export function Teams() {
  return <h1>Teams</h1>;
}
