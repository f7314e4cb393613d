export { GET, POST, runtime } from '../../../reports/handlers';
