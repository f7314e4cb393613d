import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conformancePage, demandIds, unprovedDemands } from './conformancePage.ts';
import { readTags } from './tags.ts';

const tags = readTags();
writeFileSync(
  join(fileURLToPath(new URL('../..', import.meta.url)), 'docs', 'evidence', 'conformance.md'),
  conformancePage(tags),
);
console.log(
  `docs/evidence/conformance.md: ${demandIds().length} demands, ${unprovedDemands(tags).size} not proved`,
);
