/**
 * A page may set properties before the component is defined. They then hide the accessors of the class, so this sets
 * them again through the accessors. Held by test/browser/element.test.ts.
 */
export function upgrade(element: HTMLElement, names: readonly string[]): void {
  for (const name of names)
    if (Object.getOwnPropertyDescriptor(element, name)) {
      const value = Reflect.get(element, name);
      Reflect.deleteProperty(element, name);
      Reflect.set(element, name, value);
    }
}
