import { serveSimulations } from '../../src/simulator/index.ts';

/** A thread of simulations, whose end the format of the answer decides. */
serveSimulations((_outcome, sequence, format) => {
  if (format === 'exit') process.exit(3);
  if (format === 'throw') throw new Error('nothing can be rendered');
  const kept: number[][] = [];
  while (format === 'fill') kept.push(Array.from({ length: 100_000 }, (_, at) => at + kept.length));
  return `${sequence}`;
});
