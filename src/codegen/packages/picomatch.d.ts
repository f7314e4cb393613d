/** The part of picomatch used here; the package does not ship types. */
declare module 'picomatch' {
  interface Options {
    /** Lets `*` match names that begin with a dot. */
    readonly dot?: boolean;
    /** Keeps `/` as the only separator on every system. */
    readonly posix?: boolean;
  }
  const picomatch: {
    isMatch(text: string, pattern: string, options?: Options): boolean;
  };
  export = picomatch;
}
