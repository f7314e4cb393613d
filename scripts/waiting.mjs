// Shows the progress of slow work: an animated line on a terminal, otherwise one line before and one after.

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/**
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function waiting(what, work) {
  const start = Date.now();
  const seconds = () => `${((Date.now() - start) / 1000).toFixed(1)} s`;
  const { stderr } = process;
  let frame = 0;
  const timer = stderr.isTTY
    ? setInterval(() => {
        stderr.write(`\r${frames[frame++ % frames.length]} ${what} … ${seconds()}`);
      }, 100)
    : undefined;
  if (!timer) stderr.write(`${what} …\n`);
  const clear = () => {
    clearInterval(timer);
    if (timer) stderr.write('\r\u001b[K');
  };
  try {
    const result = await work();
    clear();
    stderr.write(`${what}: ${seconds()}\n`);
    return result;
  } catch (error) {
    clear();
    stderr.write(`${what}: failed after ${seconds()}\n`);
    throw error;
  }
}
