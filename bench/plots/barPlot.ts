import { renderSvg } from './renderSvg.ts';

export interface BarPlot {
  readonly title: string;
  readonly valueLabel: string;
  readonly bars: readonly {
    /** What is measured; bars of one group are drawn together. */
    readonly group: string;
    /** Who was measured. */
    readonly name: string;
    readonly value: number;
  }[];
  readonly logValue?: boolean;
}

/** Horizontal bars by group, each with its figure, as SVG. */
export function barPlot({ title, valueLabel, bars, logValue }: BarPlot): Promise<string> {
  const names = [...new Set(bars.map(({ name }) => name))];
  const groups = [...new Set(bars.map(({ group }) => group))];
  const values = bars.map((bar) => ({ ...bar, figure: figure(bar.value) }));
  // A logarithmic scale has no zero to start a bar from, so bars start at the power of ten below the least value.
  const least = 10 ** (Math.ceil(Math.log10(Math.min(...bars.map(({ value }) => value)))) - 1);
  const y = {
    field: 'group',
    type: 'nominal',
    sort: groups,
    title: null,
    axis: { labelLimit: 320 },
  };
  const yOffset = { field: 'name', sort: names };
  const x = {
    field: 'value',
    type: 'quantitative',
    title: valueLabel,
    stack: null,
    scale: logValue ? { type: 'log', domainMin: least } : { zero: true },
  };
  return renderSvg({
    title,
    width: 560,
    height: { step: 16 },
    data: { values },
    encoding: { y, yOffset, x },
    layer: [
      {
        mark: { type: 'bar' },
        encoding: {
          ...(logValue ? { x2: { datum: least } } : {}),
          color: { field: 'name', type: 'nominal', sort: names },
        },
      },
      {
        mark: { type: 'text', align: 'left', dx: 4, fontSize: 10 },
        encoding: { text: { field: 'figure' } },
      },
    ],
  });
}

function figure(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value.toPrecision(3);
}
