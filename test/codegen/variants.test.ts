import { holdThatChangesKeepTheFile } from './keepsTheFile.ts';
import { otherVariants } from './variants.ts';

for (const variant of otherVariants) holdThatChangesKeepTheFile(variant);
