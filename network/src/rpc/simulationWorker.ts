import { serveSimulations } from '../simulator/index.ts';
import { renderSimulation } from './simulation.ts';

serveSimulations(renderSimulation);
