/**
 * A page may set properties before the component is defined. They then hide the accessors of the class, so this sets
 * them again through the accessors. Held by test/browser/element.test.ts.
 */
export function upgrade(element: HTMLElement): void {
  for (const name of Object.keys(element))
    if (name in Object.getPrototypeOf(element)) {
      const value = Reflect.get(element, name);
      Reflect.deleteProperty(element, name);
      Reflect.set(element, name, value);
    }
}
