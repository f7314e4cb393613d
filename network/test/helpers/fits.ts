/**
 * A type of a library as JSON is: lists that nobody changes, texts in place of its enums, and without
 * the methods that the library adds.
 */
type Json<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? readonly Json<Item>[]
    : T extends object
      ? {
          readonly [Key in keyof T as T[Key] extends (...given: never[]) => unknown
            ? never
            : Key]: Json<T[Key]>;
        }
      : T;

/** A type of ours in serialized form: a field that is undefined is absent. */
type Written<T> = T extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : T extends object
    ? {
        readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: Written<T[Key]>;
      } & {
        readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Written<
          Exclude<T[Key], undefined>
        >;
      }
    : T;

/** A type with other types for some of its fields. */
export type Except<T, Fields> = Omit<T, keyof Fields> & Fields;

/** Whether a value of one type, once it is written, can be read as the other. */
type Fits<Ours, Theirs> = [Ours] extends [never]
  ? false
  : [Written<Ours>] extends [Json<Theirs>]
    ? true
    : false;

/** Compares two types: a call without arguments is an error of the compiler where ours does not fit. */
export function fits<Ours, Theirs>(
  ..._unless: Fits<Ours, Theirs> extends true ? [] : [problem: 'the types do not fit']
): true {
  return true;
}
