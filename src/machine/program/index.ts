/** Programs of this machine that are run for a project, found so that the project cannot replace them. */
export { findProgram } from './findProgram.ts';
export { npmIn } from './npmIn.ts';
