import { openApiText } from '../../../src/server/http/openApi/document.ts';
import { POLICY_ERRORS } from '../../../src/server/policies/index.ts';
import { code, madeFrom, table } from './markdown.ts';
import { type JsonSchema, listMembers } from './schemaMembers.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface Answer extends Content {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
}

export interface Operation {
  readonly summary: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The routes that the service's own description has, in its order. */
export function routes(): readonly Route[] {
  const { paths } = JSON.parse(openApiText()) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

function schemaOf({ content }: Content): [type: string, schema: JsonSchema] | undefined {
  return Object.entries(content ?? {}).map(([type, { schema }]): [string, JsonSchema] => [
    type,
    schema,
  ])[0];
}

/** The codes that an answer can carry. */
export function codesOf(path: string, answer: Answer): readonly string[] {
  if (path.startsWith('/policies/')) {
    const titles = answer.description.split('; ');
    return Object.entries(POLICY_ERRORS)
      .filter(([, { title }]) => titles.includes(title))
      .map(([name]) => name);
  }
  const found: string[] = [];
  const look = (schema: JsonSchema | undefined): void => {
    if (schema === undefined) return;
    for (const one of schema.anyOf ?? schema.oneOf ?? []) look(one);
    // A settled payment that was not listed has a reason too, in a header; here are failures alone.
    if (schema.properties?.['extra']?.properties?.['cause'])
      found.push(...(schema.properties['reason']?.enum ?? []).map(String));
  };
  look(schemaOf(answer)?.[1]);
  return found;
}

function members(schema: JsonSchema): string {
  const listed = listMembers(schema);
  if (listed.length === 0) return '';
  return table(
    ['Member', 'Type', 'Required', ''],
    listed.map(({ path, type, required, note }) => [code(path), type, required ? 'yes' : '', note]),
  );
}

/** The part of an answer that describes success. */
function success(answer: Answer): [type: string, schema: JsonSchema] | undefined {
  const [type, schema] = schemaOf(answer) ?? [];
  if (type === undefined || schema === undefined) return undefined;
  const choices = schema.anyOf ?? schema.oneOf;
  const judged = choices?.find(
    (one) => one.properties?.['extra']?.properties?.['cause'] === undefined,
  );
  return [type, judged ?? schema];
}

function section({ method, path, operation }: Route): string {
  const { summary, parameters, requestBody, responses } = operation;
  const parts = [`## \`${method} ${path}\`\n\n${summary}\n`];
  if (parameters && parameters.length > 0) {
    const rows = parameters.map(({ name, in: where, required, schema }) => {
      const [told] = listMembers({ type: 'object', properties: { [name]: schema }, required: [] });
      return [
        code(name),
        where,
        told?.type ?? '',
        required && schema.default === undefined ? 'yes' : '',
        told?.note ?? '',
      ];
    });
    parts.push(`**Parameters**\n\n${table(['Name', 'In', 'Type', 'Required', ''], rows)}`);
  }
  if (requestBody) {
    const [type, schema] = schemaOf(requestBody) ?? [];
    const choices = schema?.oneOf ?? schema?.anyOf ?? (schema ? [schema] : []);
    const optional = requestBody.required ? '' : ', which may be left out';
    parts.push(
      `**Body** (\`${type}\`${optional})${choices.length > 1 ? `, one of ${choices.length}` : ''}\n\n` +
        choices.map(members).join('\n'),
    );
  }
  const good = responses['200'];
  if (good) {
    const [type, schema] = success(good) ?? [];
    const listed = schema ? members(schema) : '';
    parts.push(`**Answer** (\`${type}\`)${listed === '' ? '\n' : `\n\n${listed}`}`);
  }
  const failures = Object.entries(responses).flatMap(([status, answer]) => {
    const codes = codesOf(path, answer);
    return codes.length === 0
      ? []
      : [[status, codes.map((name) => `[${code(name)}](errors/${name}.md)`).join(', ')]];
  });
  if (failures.length > 0) parts.push(`**Failures**\n\n${table(['Status', 'Codes'], failures)}`);
  return parts.join('\n');
}

/** `docs/http.md`: every route of the service, from the description that it serves itself. */
export function httpPage(): string {
  const all = routes();
  const listed = all.map(({ method, path, operation }) => {
    const anchor = `${method} ${path}`
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s+/g, '-');
    return [`[${code(`${method} ${path}`)}](#${anchor})`, operation.summary];
  });
  return `# HTTP

${madeFrom('the description that the service serves at `/openapi.json`')}
The facilitator, the catalog and the policy gateway share one address, by default \`http://127.0.0.1:4021\`. Bodies are JSON.
Every answer has \`x-request-id\`; if requests are limited, also \`ratelimit-limit\`, \`-remaining\`, \`-reset\` and \`-policy\`, and
a 429 has \`retry-after\`. A successful \`/settle\` has \`extension-responses\`, base64 of JSON: what the [catalog](catalog.md) did.

Classify a settlement by \`transaction\`, never by the status ([facilitator.md](facilitator.md#routes-and-results)). The policy
gateway's failures are problem details (\`application/problem+json\`) with \`code\`; all others have their code as \`reason\`
([errors.md](errors.md)).

${table(['Route', ''], listed)}
${all.map(section).join('\n')}`;
}
