import { serveSimulations } from '../simulator/index.ts';
import { renderSimulation } from './simulationFormat.ts';

serveSimulations(renderSimulation);
