/**
 * The route that a paid URL belongs to, without its query: that of the catalog where one fits, so that `/weather/Lima`
 * and `/weather/Quito` count as `/weather/:city`.
 * @param templates URLs of the seller's routes, with `:name` for what varies
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
