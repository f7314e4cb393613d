import { renderSvg } from './renderSvg.ts';

export interface LinePlot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
  /** Vertical lines, for example at an injected fault. */
  readonly marks?: readonly { readonly x: number; readonly label: string }[];
  /** Uses a logarithmic scale for y; values of 0 or less are then omitted. */
  readonly logY?: boolean;
}

/** Lines over a common x, as SVG. */
export function linePlot(plot: LinePlot): Promise<string> {
  const values = plot.series.flatMap(({ name, points }) =>
    points.filter(([, y]) => !plot.logY || y > 0).map(([x, y]) => ({ x, y, name })),
  );
  const lines = {
    data: { values },
    mark: { type: 'line', strokeWidth: 1.5, clip: true },
    encoding: {
      x: { field: 'x', type: 'quantitative', title: plot.xLabel, scale: { nice: false } },
      y: {
        field: 'y',
        type: 'quantitative',
        title: plot.yLabel,
        scale: plot.logY ? { type: 'log' } : { zero: true },
      },
      color: {
        field: 'name',
        type: 'nominal',
        sort: plot.series.map(({ name }) => name),
      },
    },
  };
  const marks = {
    data: { values: plot.marks ?? [] },
    mark: { type: 'rule', strokeDash: [2, 3], opacity: 0.7 },
    encoding: {
      x: { field: 'x', type: 'quantitative' },
      stroke: { field: 'label', type: 'nominal', scale: { scheme: 'dark2' } },
    },
  };
  return renderSvg({
    title: plot.title,
    width: 760,
    height: 300,
    layer: plot.marks?.length ? [marks, lines] : [lines],
    resolve: { scale: { color: 'independent', stroke: 'independent' } },
  });
}
