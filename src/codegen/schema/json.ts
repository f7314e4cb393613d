export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A JSON schema, limited to what is generated here: its members are written unchanged. */
export type JsonSchema = JsonObject;

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The properties of an object schema, each with its schema. */
export function schemaProperties(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const { properties } = schema;
  return isJsonObject(properties)
    ? Object.entries(properties).flatMap(([name, value]) =>
        isJsonObject(value) ? [[name, value] as const] : [],
      )
    : [];
}
