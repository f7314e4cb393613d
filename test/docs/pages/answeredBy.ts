import { codesOf, routes } from './httpPage.ts';

export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: string;
}

/** The routes that can answer a code, by the service's own description. */
export function answeredBy(name: string, where: (path: string) => boolean): readonly Answered[] {
  return routes()
    .filter(({ path }) => where(path))
    .flatMap(({ method, path, operation }) =>
      Object.entries(operation.responses)
        .filter(([, answer]) => codesOf(path, answer).includes(name))
        .map(([status]) => ({ method, path, status })),
    );
}
