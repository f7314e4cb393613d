import { t } from '../words/index.ts';

/** Why a tool is refused whose setting does not allow it. */
export function notAllowed(what: 'search' | 'pay'): Error {
  return new Error(
    what === 'search'
      ? t(
          'Agents in this editor may not search the catalog. Run "Svc: Let Agents Find Endpoints…" to allow it.',
        )
      : t('Agents in this editor may not pay. Run "Svc: Let Agents Find Endpoints…" to allow it.'),
  );
}
