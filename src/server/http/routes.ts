/** The paths of the service and the method that each takes. */
export const METHODS = {
  '/verify': 'POST',
  '/settle': 'POST',
  '/settlements': 'GET',
  '/settlements/{hash}': 'GET',
  '/supported': 'GET',
  '/health': 'GET',
  '/ready': 'GET',
  '/metrics': 'GET',
  '/openapi.json': 'GET',
  '/discovery/resources': 'GET',
  '/discovery/search': 'GET',
  '/discovery/merchant': 'GET',
  '/discovery/facets': 'GET',
  '/discovery/feed.json': 'GET',
  '/discovery/validate': 'POST',
  '/catalog': 'GET',
} as const;

export type Path = keyof typeof METHODS;

/** Routes whose paths hold names, each as one label. */
const FAMILIES = ['/policies', '/passkeys', '/operator'] as const;

/** The route a path belongs to, for counting and logs: what strangers ask for is one `other`. */
export function routeOf(path: string): Path | (typeof FAMILIES)[number] | 'other' {
  if (path in METHODS) return path as Path;
  if (path.startsWith('/settlements/')) return '/settlements/{hash}';
  return FAMILIES.find((family) => path === family || path.startsWith(`${family}/`)) ?? 'other';
}
