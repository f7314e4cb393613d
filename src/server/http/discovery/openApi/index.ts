/** The catalog as OpenAPI with payment fields. The service's own description is another document. */
export { listedOpenApi } from './listedOpenApi.ts';
