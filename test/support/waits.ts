/**
 * Measures what a test file waits for, which `.ci/run` shows for the slowest files.
 * @param what `network`, `facilitator`, `process` or `database`
 */
export async function measured<T>(what: string, work: Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work;
  } finally {
    performance.measure(`wait: ${what}`, { start, end: performance.now() });
  }
}
