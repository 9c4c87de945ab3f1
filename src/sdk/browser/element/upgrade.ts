/**
 * Properties that a page set before the class of the component was there: they lie in front of its accessors, and are given to
 * those here. Held by test/browser/element.test.ts.
 */
export function upgrade(element: HTMLElement, names: readonly string[]): void {
  for (const name of names)
    if (Object.hasOwn(element, name)) {
      const value = Reflect.get(element, name);
      Reflect.deleteProperty(element, name);
      Reflect.set(element, name, value);
    }
}
