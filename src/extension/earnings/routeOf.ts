/**
 * Returns the route of a paid URL, without its query. A route of the catalog is used if one matches, so `/weather/Lima` and
 * `/weather/Quito` count as `/weather/:city`.
 * @param templates URLs of the seller's routes, with `:name` for their parameters
 */
export function routeOf(url: string, templates: readonly string[]): string {
  const [plain = url] = url.split(/[?#]/, 1);
  const parts = plain.split('/');
  const fits = (template: string) => {
    const wanted = template.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, at) => (/^:\w/.test(part) ? parts[at] !== '' : part === parts[at]))
    );
  };
  return templates.includes(plain) ? plain : (templates.find(fits) ?? plain);
}
