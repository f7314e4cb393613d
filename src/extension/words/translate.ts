/** The language of the editor, and its translations by the English text. */
interface Language {
  /** As in HTML's `lang` attribute. */
  readonly name: string;
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Where the language is stored. The extension's bundles share a process, but each holds its own copy of this module, so what
 * the first one sets must be visible to the others.
 */
const PLACE = Symbol.for('svc-x402.language');

/**
 * Sets what `t` translates with.
 * @param name language of the editor, such as `de`
 * @param texts `l10n.bundle` of the editor; `undefined` if it shows English or has no translation
 */
export function translateWith(name: string, texts: Language['texts'] | undefined): void {
  Reflect.set(globalThis, PLACE, texts && { name, texts });
}

function current(): Language | undefined {
  return Reflect.get(globalThis, PLACE) as Language | undefined;
}

/** The language that `t` returns texts in. */
export function language(): string {
  return current()?.name ?? 'en';
}

/**
 * Returns a text in the editor's language, or else in English. It does what the editor's `l10n.t` does, for code that also runs
 * without an editor.
 * @param text English, a literal; `{0}`, `{1}` … are replaced with the values
 */
export function t(text: string, ...values: readonly (string | number | bigint)[]): string {
  const texts = current()?.texts;
  const translated = texts !== undefined && Object.hasOwn(texts, text) ? texts[text] : undefined;
  return (translated ?? text).replace(/\{(\d+)\}/g, (whole, index: string) =>
    String(values[Number(index)] ?? whole),
  );
}

/** Marks a text of a table that is created before the language is known; the code that shows it passes it to `t`. */
export function later<T extends string>(text: T): T {
  return text;
}
