// What part of an extension host's time is an extension's own, by the host's own profiler.

const { Session } = require('node:inspector');

/**
 * Milliseconds that pass in a file's code, and in loading it, while something is done. Others run in
 * the same thread meanwhile: their time is left out.
 */
exports.ownTime = async (file, work) => {
  const session = new Session();
  session.connect();
  const post = (method, parameters) =>
    new Promise((resolve, reject) => {
      session.post(method, parameters, (error, answer) => {
        if (error) reject(error);
        else resolve(answer);
      });
    });
  await post('Profiler.enable');
  await post('Profiler.setSamplingInterval', { interval: 100 });
  await post('Profiler.start');
  await work();
  const { profile } = await post('Profiler.stop');
  session.disconnect();
  return timeIn(file, profile) / 1_000;
};

/** Microseconds below the frames of a file, or below the loading of it. */
function timeIn(file, { nodes, samples, timeDeltas }) {
  const taken = new Map();
  for (const [index, id] of samples.entries()) {
    taken.set(id, (taken.get(id) ?? 0) + timeDeltas[index]);
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((c) => [c, id])));
  const roots = new Set();
  for (const { id, callFrame } of nodes) {
    if (callFrame.url.endsWith(file)) roots.add(outermost(id));
  }
  const within = (id) => id !== undefined && (roots.has(id) || within(parents.get(id)));
  let sum = 0;
  for (const [id, time] of taken) if (within(id)) sum += time;
  return sum;

  /** Where the loader was called, when that is why the file's code runs. */
  function outermost(id) {
    let at = id;
    for (let above = parents.get(at); above !== undefined; above = parents.get(above)) {
      const { url, functionName } = byId.get(above).callFrame;
      const loads = /internal\/modules/.test(url) || /(^|\.)_load$/.test(functionName);
      if (!loads && !url.endsWith(file)) break;
      at = above;
    }
    return at;
  }
}
