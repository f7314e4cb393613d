/** A type of a library as JSON is: lists that nobody changes, and texts in place of its enums. */
export type Json<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? readonly Json<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Json<T[Key]> }
      : T;

/** A type with other types for some of its fields. */
export type Except<T, Fields> = Omit<T, keyof Fields> & Fields;

/** Whether a value of one type can be read as the other. */
type Fits<Ours, Theirs> = [Ours] extends [Json<Theirs>] ? true : false;

/** Compares two types: a call without arguments is an error of the compiler where ours does not fit. */
export function fits<Ours, Theirs>(
  ..._unless: Fits<Ours, Theirs> extends true ? [] : [problem: 'the types do not fit']
): true {
  return true;
}
