import type { ValidationRule } from '../../../protocol/wire/index.ts';
import type { EchoedResource } from '../declaration/echoed.ts';
import { isJsonObject } from '../declaration/jsonTree.ts';
import { descriptionOf, serviceNameOf, tagsOf } from '../declaration/listingText.ts';
import {
  DECLARATION_RULES,
  type Declared,
  type ReadDeclaration,
} from '../declaration/readDeclaration.ts';
import { DECLARATION_MENDS } from './mends.ts';

/** Returns each rule of a declaration: rules before the failed one passed, rules after it are not judged. */
export function declarationRules(read: ReadDeclaration): ValidationRule[] {
  const failed = read.ok ? DECLARATION_RULES.length : DECLARATION_RULES.indexOf(read.rule);
  return DECLARATION_RULES.map((rule, at) => {
    if (at === failed && !read.ok) {
      const { reason, detail } = read;
      return { rule, outcome: 'failed', reason, detail, mend: DECLARATION_MENDS[rule] };
    }
    if (at > failed) return { rule, outcome: 'not_judged' };
    if (rule === 'route_template' && read.ok && read.templateDropped !== undefined) {
      const detail = `the template is left out: ${read.templateDropped}`;
      return { rule, outcome: 'warning', detail, mend: DECLARATION_MENDS[rule] };
    }
    return { rule, outcome: 'passed' };
  });
}

function textRule(rule: string, isKept: boolean, mend: string): ValidationRule {
  return isKept ? { rule, outcome: 'passed' } : { rule, outcome: 'warning', mend };
}

/** Returns the rules of a resource's texts: a text that breaks its rule is left out of the entry. */
export function textRules({ resource }: Declared): ValidationRule[] {
  const said: EchoedResource = isJsonObject(resource) ? resource : {};
  const { serviceName, description, tags } = said;
  const kept = tagsOf(tags).length;
  return [
    textRule(
      'service_name',
      serviceNameOf(serviceName) !== undefined,
      'Set a serviceName of 1 to 64 printable ASCII characters (32 for the canonical helpers): without it the search finds the entry less often.',
    ),
    textRule(
      'description',
      typeof description === 'string' && descriptionOf(description) === description,
      'Set a description of at most 256 characters on one line; longer text is cut off.',
    ),
    textRule(
      'tags',
      kept > 0 && Array.isArray(tags) && kept === tags.length,
      'Set up to ten tags of 1 to 64 printable ASCII characters, each once.',
    ),
  ];
}
