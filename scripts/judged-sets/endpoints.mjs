/**
 * Benchmarks whose entries are endpoints and functions. Each converter reads files of a checkout and returns entries and
 * queries.
 */

const lines = (text) => text.split('\n').filter((line) => line.trim() !== '');
const rows = (text) => lines(text).map((line) => JSON.parse(line));
const dashed = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** `count` items of a list, evenly spaced from first to last. */
export const spread = (all, count) =>
  all.length <= count
    ? all
    : Array.from({ length: count }, (_, n) => all[Math.floor((n * all.length) / count)]);

/** `ProductSearch`, `product_search` and `product.search` as words. */
export const readable = (id) => id.replace(/[_.-]+/g, ' ').replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

const GROUPS = [
  'G1_instruction',
  'G1_category',
  'G1_tool',
  'G2_category',
  'G2_instruction',
  'G3_instruction',
];

function rapidApi(read) {
  const asked = GROUPS.flatMap((group) =>
    JSON.parse(read(`solvable_queries/test_instruction/${group}.json`)).map((row) => ({
      text: row.query,
      kind: group.slice(0, 2),
      apis: row.api_list,
      relevant: row['relevant APIs'],
    })),
  );
  const endpoints = new Map();
  for (const { apis } of asked) {
    for (const api of apis) {
      const key = JSON.stringify([api.tool_name, api.api_name]);
      if (!endpoints.has(key)) endpoints.set(key, api);
    }
  }
  return { asked, endpoints };
}

/** Endpoints of RapidAPI, and the tasks that StableToolBench found solvable. */
export function rapidapi(read) {
  const { asked, endpoints } = rapidApi(read);
  const ids = new Map([...endpoints.keys()].map((key, n) => [key, `a${n}`]));
  const corpus = [...endpoints].map(([key, api]) => ({
    _id: ids.get(key),
    title: `${api.tool_name} ${api.api_name}`,
    text: api.api_description ?? '',
    tags: [api.category_name],
    url: `https://${dashed(api.tool_name)}.p.rapidapi.com/${api.api_name.replace(/[^a-zA-Z0-9]+/g, '_')}`,
  }));
  const queries = asked.map(({ text, kind, relevant }) => ({
    text,
    kind,
    answers: relevant.flatMap((api) => ids.get(JSON.stringify(api)) ?? []),
  }));
  return { corpus, queries };
}

/** The same tasks, with services as entries whose descriptions list their endpoints. */
export function rapidservices(read) {
  const { asked, endpoints } = rapidApi(read);
  const services = new Map();
  for (const api of endpoints.values()) {
    services.set(api.tool_name, [...(services.get(api.tool_name) ?? []), api]);
  }
  const ids = new Map([...services.keys()].map((name, n) => [name, `t${n}`]));
  const said = ({ api_name: name, api_description: text }) =>
    text ? `${name}: ${text.slice(0, 120)}` : name;
  const corpus = [...services].map(([name, apis]) => ({
    _id: ids.get(name),
    title: name,
    text: apis.slice(0, 6).map(said).join('; '),
    tags: [apis[0].category_name],
    url: `https://${dashed(name)}.p.rapidapi.com`,
  }));
  const queries = asked.map(({ text, kind, relevant }) => ({
    text,
    kind,
    answers: [...new Set(relevant.flatMap(([name]) => ids.get(name) ?? []))].sort(),
  }));
  return { corpus, queries };
}

/** An API from its OpenAPI description, and the tasks of RestBench. */
const restBench = (name) => (read) => {
  const ids = new Map();
  const corpus = [];
  for (const [path, methods] of Object.entries(JSON.parse(read(`specs/${name}_oas.json`)).paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!['get', 'post', 'put', 'delete'].includes(method)) continue;
      const id = `e${ids.size}`;
      ids.set(`${method.toUpperCase()} ${path}`, id);
      corpus.push({
        _id: id,
        title: operation.summary || operation.operationId || path,
        text: (operation.description ?? '').replace(/<[^>]+>/g, ' ').slice(0, 600),
        tags: operation.tags ?? [],
        url: `https://api.${name}.test${path}`,
      });
    }
  }
  const queries = JSON.parse(read(`datasets/${name}.json`)).map(({ query, solution }) => ({
    text: query,
    kind: name,
    answers: solution.flatMap((call) => ids.get(call) ?? []),
  }));
  return { corpus, queries };
};
export const tmdb = restBench('tmdb');
export const spotify = restBench('spotify');

/** Models of three hubs, and Gorilla's instructions for them: 120 per hub. */
export function apibench(read) {
  const ids = new Map();
  const corpus = [];
  const asked = new Map();
  for (const file of ['torchhub_train', 'torchhub_eval', 'tensorflow_eval', 'huggingface_eval']) {
    const hub = file.split('_')[0];
    for (const { api_data: model, code } of rows(read(`data/apibench/${file}.json`))) {
      const { api_name: name, functionality, description, domain } = model;
      const key = JSON.stringify([hub, name, functionality, description]);
      if (!ids.has(key)) {
        ids.set(key, `g${ids.size}`);
        corpus.push({
          _id: ids.get(key),
          title: `${functionality} ${name}`,
          text: String(description ?? '').slice(0, 600),
          tags: [String(domain), hub],
          url: '',
        });
      }
      const text = /instruction\W*:?\s*(.+?)(\n|.{0,2}, ?.Output.|<<<|###)/i.exec(code)?.[1];
      if (text === undefined) continue;
      const query = {
        text: text.replace(/^[ '"]+|[ '"]+$/g, ''),
        kind: hub,
        answers: [ids.get(key)],
      };
      asked.set(hub, [...(asked.get(hub) ?? []), query]);
    }
  }
  return { corpus, queries: [...asked.values()].flatMap((all) => spread(all, 120)) };
}

/** Functions invented by a language model for various fields, and user requests for one or several of them. */
export function sealtools(read) {
  const corpus = rows(read('Seal-Tools_Dataset/tool.jsonl')).map((tool) => ({
    _id: tool.api_name,
    title: readable(tool.api_name),
    text: tool.api_description,
    tags: tool.field.split('/'),
    url: '',
  }));
  const known = new Set(corpus.map(({ _id }) => _id));
  const queries = ['in_domain', 'out_domain'].flatMap((domain) =>
    rows(read(`Seal-Tools_Dataset/test_${domain}.jsonl`)).map(({ query, calling }) => {
      const answers = [...new Set(calling.map(({ api }) => api))].filter((api) => known.has(api));
      return { text: query, kind: answers.length > 1 ? 'several tools' : 'one tool', answers };
    }),
  );
  return { corpus, queries };
}
