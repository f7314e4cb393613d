import { listMetrics, type MetricDescription } from '../../../src/server/metrics/metrics.ts';

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
  readonly refId: string;
}

interface Panel {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly targets: readonly Omit<Target, 'refId'>[];
}

const SOURCE = { type: 'prometheus', uid: '$datasource' };
const INSTANCES = 'instance=~"$instance"';
const STROOPS = 10_000_000;
const QUANTILES = [0.5, 0.95, 0.99];

/** Metrics of the process that an operator looks at first. */
const OF_PROCESS: readonly Panel[] = [
  {
    title: 'Processor time',
    description: 'Processor seconds a second, by instance',
    unit: 'short',
    targets: [
      {
        expr: `rate(svc_x402_process_cpu_seconds_total{${INSTANCES}}[$__rate_interval])`,
        legendFormat: '{{instance}}',
      },
    ],
  },
  {
    title: 'Memory',
    description: 'Resident memory, by instance',
    unit: 'bytes',
    targets: [
      {
        expr: `svc_x402_process_resident_memory_bytes{${INSTANCES}}`,
        legendFormat: '{{instance}}',
      },
    ],
  },
  {
    title: 'Event loop lag, 99th percentile',
    description: 'How long work waits for the process, by instance',
    unit: 's',
    targets: [
      {
        expr: `svc_x402_nodejs_eventloop_lag_p99_seconds{${INSTANCES}}`,
        legendFormat: '{{instance}}',
      },
    ],
  },
];

const legend = (labels: readonly string[]) => labels.map((label) => `{{${label}}}`).join(' ');
const words = (name: string) =>
  name
    .replace(/^svc_x402_/, '')
    .replace(/_(?:total|seconds|stroops)$/, '')
    .replaceAll('_', ' ');
const title = (name: string) => words(name).replace(/^./, (first) => first.toUpperCase());

function rate(series: string, labels: readonly string[]): Omit<Target, 'refId'> {
  return {
    expr: `sum by (${labels.join(', ')}) (rate(${series}{${INSTANCES}}[$__rate_interval]))`,
    legendFormat: legend(labels),
  };
}

function panelsOf({ name, help, type, labels }: MetricDescription): readonly Panel[] {
  switch (type) {
    case 'histogram':
      return [
        {
          title: `${title(name)}: rate`,
          description: help,
          unit: 'ops',
          targets: [rate(`${name}_count`, labels)],
        },
        {
          title: `${title(name)}: duration`,
          description: help,
          unit: 's',
          targets: QUANTILES.map((quantile) => ({
            expr: `histogram_quantile(${quantile}, sum by (le) (rate(${name}_bucket{${INSTANCES}}[$__rate_interval])))`,
            legendFormat: `${quantile * 100} %`,
          })),
        },
      ];
    case 'counter':
      return [
        { title: title(name), description: help, unit: 'ops', targets: [rate(name, labels)] },
      ];
    default: {
      const isAmount = name.endsWith('_stroops');
      return [
        {
          title: isAmount ? `${title(name)} (XLM)` : title(name),
          description: help,
          unit: 'short',
          targets: [
            {
              expr: isAmount ? `${name}{${INSTANCES}} / ${STROOPS}` : `${name}{${INSTANCES}}`,
              legendFormat: '{{instance}}',
            },
          ],
        },
      ];
    }
  }
}

const WIDTH = 12;
const HEIGHT = 8;

/** `deploy/grafana-dashboard.json`: a panel for each metric of the service, from the list that it exports. */
export function dashboard(): string {
  const panels = [...listMetrics().flatMap(panelsOf), ...OF_PROCESS].map((panel, at) => ({
    id: at + 1,
    type: 'timeseries',
    title: panel.title,
    description: panel.description,
    datasource: SOURCE,
    gridPos: { h: HEIGHT, w: WIDTH, x: (at % 2) * WIDTH, y: Math.floor(at / 2) * HEIGHT },
    fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
    targets: panel.targets.map((target, index) => ({
      ...target,
      refId: String.fromCharCode(65 + index),
      datasource: SOURCE,
    })),
  }));
  const made = {
    title: 'Svc x402 facilitator',
    uid: 'svc-x402-facilitator',
    tags: ['svc-x402'],
    schemaVersion: 38,
    editable: true,
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus' },
        {
          name: 'instance',
          type: 'query',
          datasource: SOURCE,
          query: 'label_values(svc_x402_channels, instance)',
          refresh: 2,
          multi: true,
          includeAll: true,
          allValue: '.*',
        },
      ],
    },
    panels,
  };
  return `${JSON.stringify(made, null, 2)}\n`;
}
