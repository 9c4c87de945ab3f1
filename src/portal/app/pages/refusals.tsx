export function Refusals() {
  return <h1>Refusals</h1>;
}
