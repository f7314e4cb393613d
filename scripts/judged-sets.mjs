/**
 * Writes a public benchmark of tool retrieval in the form that `npm run bench -- search-quality --data`
 * reads: `node scripts/judged-sets.mjs NAME CHECKOUT FOLDER`, with a checkout of the benchmark's repository.
 *
 * | name | repository | licence | commit measured |
 * |---|---|---|---|
 * | metatool | github.com/HowieHwong/MetaTool | MIT | 35e81bb7576826e980c80fed8f8c0a2b4a1e6fbb |
 * | toolalpaca | github.com/tangqiaoyu/ToolAlpaca | Apache-2.0 | 189069998d64a7baf1b4a1c3c4b2e75eb9d05532 |
 * | livemcpbench | github.com/icip-cas/LiveMCPBench | Apache-2.0 | a928e57d1ee7a25579b9a7036030faffff72d15b |
 * | rapidapi, rapidservices | github.com/THUNLP-MT/StableToolBench | Apache-2.0 | aa4ed9f4737ad98bd706663f01d63623c3427812 |
 * | tmdb, spotify | github.com/Yifan-Song793/RestGPT | MIT | d99012860cb45323975bf5780152d7aa44f390f5 |
 * | apibench | github.com/ShishirPatil/gorilla | Apache-2.0 | 6ea57973c7a6097fd7c5915698c54c17c5b1b6c8 |
 * | sealtools | github.com/fairyshine/Seal-Tools | Apache-2.0 | ce753ecd60ed08dd376984035de531ab8421f1c6 |
 *
 * FOLDER receives all queries, and `tuning` and `held-out` the two halves, which share no answering entry. Nothing of it is
 * stored in this repository.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  apibench,
  rapidapi,
  rapidservices,
  readable,
  sealtools,
  spotify,
  spread,
  tmdb,
} from './judged-sets/endpoints.mjs';

/** Number of MetaTool queries per tool: it has 20,614, many of them similar. */
const PER_TOOL = 4;

/** Plugins, and user requests for one or two of them. */
function metatool(read) {
  const said = JSON.parse(read('dataset/plugin_des.json'));
  const corpus = Object.entries(said).map(([id, text]) => ({
    _id: id,
    title: readable(id),
    text,
    tags: [],
    url: '',
  }));
  const asked = new Map();
  for (const line of read('dataset/data/all_clean_data.csv').split(/\r?\n/).slice(1)) {
    const comma = line.lastIndexOf(',');
    const id = line.slice(comma + 1);
    const text = line.slice(0, comma).replace(/^"|"$/g, '').replaceAll('""', '"');
    if (said[id] === undefined || text === '') continue;
    asked.set(id, [...(asked.get(id) ?? []), text]);
  }
  const single = [...asked].flatMap(([id, texts]) =>
    spread(texts, PER_TOOL).map((text) => ({ text, kind: 'one tool', answers: [id] })),
  );
  const several = JSON.parse(read('dataset/data/multi_tool_query_golden.json')).flatMap(
    ({ query, tool }) =>
      tool.every((id) => said[id] !== undefined)
        ? [{ text: query, kind: 'two tools', answers: tool }]
        : [],
  );
  return { corpus, queries: [...single, ...several] };
}

/** The public APIs from which ToolAlpaca was built, and the tasks written for its evaluation. */
function toolalpaca(read) {
  const corpus = JSON.parse(read('data/public_apis.json')).entries.map((api, n) => ({
    _id: `a${n}`,
    title: api.API,
    text: api.Description,
    tags: [api.Category],
    url: api.Link,
  }));
  const idsOf = new Map();
  for (const { _id, title } of corpus) idsOf.set(title, [...(idsOf.get(title) ?? []), _id]);
  const tasks = (file, kind) =>
    JSON.parse(read(file)).flatMap((tool) => {
      const answers = idsOf.get(tool.Name) ?? [];
      return answers.length === 0 ? [] : tool.Instructions.map((text) => ({ text, kind, answers }));
    });
  const queries = [
    ...tasks('data/eval_simulated.json', 'simulated tools'),
    ...tasks('data/eval_real.json', 'real tools'),
  ];
  return { corpus, queries };
}

/** Tools of MCP servers, user requests that need several of them, and the steps that need one tool each. */
function livemcpbench(read) {
  const corpus = JSON.parse(read('tools/LiveMCPTool/tools.json')).flatMap(({ name, tools }) =>
    Object.values(tools).flatMap((server) =>
      (server.tools ?? []).map((tool) => ({
        title: tool.name,
        text: tool.description ?? '',
        tags: [name],
        url: '',
      })),
    ),
  );
  const idsOf = new Map();
  for (const [n, entry] of corpus.entries()) {
    entry._id = `t${n}`;
    idsOf.set(entry.title, [...(idsOf.get(entry.title) ?? []), entry._id]);
    entry.title = readable(entry.title.replaceAll('-', ' '));
  }
  const listed = (text) => [...text.matchAll(/^\s*\d+\.\s*(.+?)\s*$/gm)].map(([, item]) => item);
  const tasks = JSON.parse(read('annotated_data/all_annotations.json'));
  const queries = tasks.flatMap(({ Question: text, 'Annotator Metadata': notes }) => {
    const tools = listed(notes.Tools).map((tool) => idsOf.get(tool) ?? []);
    const steps = listed(notes.Steps);
    const whole = { text, kind: 'whole task', answers: [...new Set(tools.flat())] };
    // The tool of each step is known only if there are as many steps as tools.
    const single =
      steps.length === tools.length
        ? steps.map((step, n) => ({ text: step, kind: 'one step', answers: tools[n] }))
        : [];
    return [whole, ...single].filter(({ answers }) => answers.length > 0);
  });
  return { corpus, queries };
}

const numbered = (queries) => queries.map((query, n) => ({ _id: `q${n}`, ...query }));

/** Half of the entries, by id: the tuning queries share no answer with the held-out queries. */
const isTuning = (id) => createHash('sha256').update(id).digest()[0] % 2 === 0;

const SETS = {
  metatool,
  toolalpaca,
  livemcpbench,
  rapidapi,
  rapidservices,
  tmdb,
  spotify,
  apibench,
  sealtools,
};
const [name, checkout, folder] = process.argv.slice(2);
const convert = SETS[name];
if (convert === undefined || folder === undefined) {
  console.error(
    `usage: node scripts/judged-sets.mjs ${Object.keys(SETS).join('|')} CHECKOUT FOLDER`,
  );
  process.exit(2);
}
const { corpus, queries: all } = convert((path) => readFileSync(join(checkout, path), 'utf8'));
const queries = numbered(all.filter(({ answers }) => answers.length > 0));
const tuning = queries.filter(({ answers }) => answers.every(isTuning));
const heldOut = queries.filter(({ answers }) => !answers.some(isTuning));
write(folder, queries);
write(join(folder, 'tuning'), tuning);
write(join(folder, 'held-out'), heldOut);
console.log(
  `${corpus.length} entries, ${queries.length} queries in ${folder}; ` +
    `${tuning.length} in tuning, ${heldOut.length} in held-out`,
);

function write(to, asked) {
  mkdirSync(to, { recursive: true });
  const lines = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(join(to, 'corpus.jsonl'), lines(corpus));
  writeFileSync(
    join(to, 'queries.jsonl'),
    lines(asked.map(({ _id, text, kind }) => ({ _id, text, kind }))),
  );
  const judged = asked.flatMap(({ _id, answers }) => answers.map((id) => `${_id}\t${id}\t1\n`));
  writeFileSync(join(to, 'qrels.tsv'), `query-id\tcorpus-id\tscore\n${judged.join('')}`);
}
