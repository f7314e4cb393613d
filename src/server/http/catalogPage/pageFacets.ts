/** Shows each value of a filter with its count of entries, as a link that applies it. */
export const PAGE_FACETS = `
const facets = document.getElementById('facets');
function facetLink(name, value, text, count) {
  const to = new URLSearchParams(location.search);
  const isSet = to.get(name) === value;
  if (isSet) to.delete(name);
  else to.set(name, value);
  const link = element('a', { href: '/catalog?' + to, class: 'facet' }, text + ' ' + count);
  if (isSet) link.setAttribute('aria-current', 'true');
  return element('li', {}, link);
}
const KINDS = { http: 'HTTP', mcp: 'MCP tools' };
async function showFacets() {
  const sent = new URLSearchParams();
  for (const name of FILTERS) if (asked.get(name)) sent.set(name, asked.get(name));
  const response = await fetch('/discovery/facets?' + sent, { headers: { accept: 'application/json' } });
  if (!response.ok) return;
  const found = await response.json();
  facets.replaceChildren(
    ...found.type.map(({ value, count }) => facetLink('type', value, KINDS[value] || value, count)),
    ...found.scheme.map(({ value, count }) => facetLink('scheme', value, value, count)),
    ...found.asset.map(({ value, count }) => facetLink('asset', value, NAMES[value] || short(value), count)),
    facetLink('ownerVerified', 'true', 'Owner verified', found.ownerVerified));
}
`;
