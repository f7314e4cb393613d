/** As much of JSON Schema as the service's description uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export interface Member {
  /** Such as `accepts[].payTo`. */
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly note: string;
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}`;
  if (schema.type === undefined) return 'any';
  return typeof schema.type === 'string' ? schema.type : schema.type.join(' or ');
}

function noteOf(schema: JsonSchema): string {
  const { minimum, maximum, maxLength, maxItems, pattern, default: usual, description } = schema;
  const whole = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER;
  return [
    ...(description === undefined ? [] : [description]),
    ...(minimum !== undefined && !whole ? [`from ${minimum} to ${maximum}`] : []),
    ...(minimum === undefined && !whole ? [`at most ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined || maxItems === 0 ? [] : [`at most ${maxItems}`]),
    ...(pattern === undefined ? [] : [`\`${pattern}\``]),
    ...(usual === undefined ? [] : [`default \`${JSON.stringify(usual)}\``]),
  ].join('; ');
}

/** The members of an object and, below them, of the objects that they hold. */
export function listMembers(schema: JsonSchema, prefix = ''): readonly Member[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const own: Member = {
      path,
      type: typeOf(member),
      required: schema.required?.includes(name) ?? false,
      note: noteOf(member),
    };
    return [own, ...below(member, path)];
  });
}

function below(member: JsonSchema, path: string): readonly Member[] {
  if (member.properties) return listMembers(member, `${path}.`);
  if (member.items) return below(member.items, `${path}[]`);
  const object = (member.anyOf ?? member.oneOf)?.find(({ properties }) => properties);
  return object ? below(object, path) : [];
}
