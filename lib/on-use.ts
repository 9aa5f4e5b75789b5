/** @returns a function that loads a module when it is first called, and afterwards returns it at once. */
export function onUse<Module extends object>(load: () => Promise<Module>): () => Module | Promise<Module> {
  let loaded: Module | undefined;
  return () =>
    loaded ??
    load().then((module) => {
      loaded = module;
      return module;
    });
}
