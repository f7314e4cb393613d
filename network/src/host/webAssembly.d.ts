/** The part of WebAssembly's JavaScript API that is used here; Node's types leave it to the DOM library. */
declare namespace WebAssembly {
  interface Module {
    readonly __brand: 'WebAssembly.Module';
  }
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  const Memory: { readonly prototype: Memory; new (descriptor: { initial: number }): Memory };
  const Instance: {
    readonly prototype: Instance;
    new (
      module: Module,
      imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    ): Instance;
  };
  function compile(bytes: Uint8Array): Promise<Module>;
}
