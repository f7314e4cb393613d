interface Vega {
  parse(specification: unknown): unknown;
  readonly View: new (
    runtime: unknown,
    options: { readonly renderer: 'none' },
  ) => { toSVG(): Promise<string> };
}

interface VegaLite {
  compile(specification: unknown): { readonly spec: unknown };
}

/** Settings shared by all plots: readable on light and dark pages, with fonts that every machine has. */
const config = {
  background: '#ffffff',
  padding: 12,
  font: 'sans-serif',
  axis: { labelLimit: 400, labelFontSize: 11, titleFontSize: 12, gridColor: '#e5e5e5' },
  legend: { labelFontSize: 11, title: null, orient: 'bottom', columns: 3, labelLimit: 300 },
  title: { fontSize: 14, anchor: 'start' },
  range: {
    category: ['#0b6bcb', '#d9730d', '#3a9a4b', '#9b4dca', '#c4314b', '#6b7280', '#c9a400'],
  },
};

/**
 * Draws a Vega-Lite specification as SVG. The packages are in this folder's own node_modules, which scripts install only if
 * something has to be drawn.
 */
export async function renderSvg(specification: object): Promise<string> {
  const vega = (await installed('vega')) as Vega;
  const vegaLite = (await installed('vega-lite')) as VegaLite;
  const { spec } = vegaLite.compile({ config, ...specification });
  const svg = await new vega.View(vega.parse(spec), { renderer: 'none' }).toSVG();
  return `${svg}\n`;
}

/** Imported through a name that the type checker does not resolve, so that it also runs without these packages. */
function installed(name: string): Promise<unknown> {
  return import(name);
}
