/** The schemas of the SDK's XDR types, as `@stellar/js-xdr` exposes them. */
export type WireSchema =
  | {
      readonly kind: 'struct';
      readonly name: string;
      readonly entries: readonly (readonly [string, WireSchema])[];
    }
  | UnionSchema
  | { readonly kind: 'array'; readonly element: WireSchema; readonly maxLength: number }
  | { readonly kind: 'fixedArray'; readonly element: WireSchema; readonly length: number }
  | { readonly kind: 'option'; readonly element: WireSchema }
  | { readonly kind: 'opaque'; readonly length: number }
  | { readonly kind: 'varOpaque' | 'string'; readonly maxLength: number }
  | { readonly kind: 'enum'; readonly nameByValue: ReadonlyMap<number, string> }
  | { readonly kind: 'lazy'; readonly getSchema: () => WireSchema }
  | { readonly kind: 'bool' | 'int32' | 'uint32' | 'int64' | 'uint64' | 'void' };

export interface UnionSchema {
  readonly kind: 'union';
  readonly name: string;
  readonly switchOn: WireSchema;
  /** The field of the value that holds the discriminant. */
  readonly switchKey: string;
  readonly cases: readonly {
    readonly name: string;
    readonly discriminant: number | boolean;
    readonly arm: UnionArm;
  }[];
}

/** The content after the discriminant: a field of the value, or nothing. */
export type UnionArm =
  | { readonly kind: 'field'; readonly name: string; readonly schema: WireSchema }
  | { readonly kind: 'void' };

/** A value in the shape that its schema describes: the result of `toXdrObject`. */
export type WireValue =
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | { readonly bytes: Uint8Array }
  | readonly WireValue[]
  | { readonly [field: string]: WireValue };
