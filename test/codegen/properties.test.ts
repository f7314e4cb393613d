import { holdThatChangesKeepTheFile } from './keepsTheFile.ts';
import { AS_IT_IS } from './variants.ts';

holdThatChangesKeepTheFile(AS_IT_IS);
