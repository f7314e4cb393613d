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
  '/discovery/openapi.json': 'GET',
  '/discovery/validate': 'POST',
  '/catalog': 'GET',
  '/mcp': 'POST',
  '/.well-known/x402': 'GET',
} as const;

export type Path = keyof typeof METHODS;

/** Routes whose paths contain names, each counted as one label. */
const FAMILIES = ['/policies', '/passkeys', '/operator'] as const;

/** Returns a path's route, for counting and logs; all unknown paths are `other`. */
export function routeOf(path: string): Path | (typeof FAMILIES)[number] | 'other' {
  if (path in METHODS) return path as Path;
  if (path.startsWith('/settlements/')) return '/settlements/{hash}';
  return FAMILIES.find((family) => path === family || path.startsWith(`${family}/`)) ?? 'other';
}
